/**
 * Finds rows that an earlier version of the service stored under an exchanged identity: it took the id of a question
 * for its number, and the number for its id (procurement.md §3.3). Pure.
 */
import type { TenderRules } from '#shared/values/tender-beside.ts';
import type { TenderRow } from '#shared/values/tender-identity.ts';

interface KeyedRow {
  row: TenderRow;
}

export interface RenamedRows<Stored extends KeyedRow> {
  /** The stored rows by their current keys. */
  stored: ReadonlyMap<string, Stored>;
  /** Maps the current key of a row to the key under which the row is stored. */
  formerKeys: ReadonlyMap<string, string>;
}

/**
 * Returns the stored rows as the reading identifies them. A row is exchanged only if the reading does not show its
 * stored key, and shows the key that the exchanged fields give.
 *
 * @param shown keys of the rows of the reading
 * @param identify returns a row with its id, and its key
 */
export const renameExchanged = <Stored extends KeyedRow>(
  stored: ReadonlyMap<string, Stored>,
  shown: ReadonlySet<string>,
  exchange: NonNullable<TenderRules['exchange']>,
  identify: (row: TenderRow) => { row: TenderRow; key: string },
): RenamedRows<Stored> => {
  const formerKeys = new Map<string, string>();
  const renamed = new Map(stored);
  for (const [former, before] of stored) {
    const exchanged = shown.has(former) ? undefined : exchange(before.row);
    if (exchanged === undefined) continue;
    const { row, key } = identify(exchanged);
    if (!shown.has(key) || formerKeys.has(key)) continue;
    formerKeys.set(key, former);
    renamed.delete(former);
    if (!renamed.has(key)) renamed.set(key, { ...before, row });
  }
  return { stored: renamed, formerKeys };
};
