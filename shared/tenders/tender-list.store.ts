/**
 * The list of an organization's tenders: the displayed row of each tender, its position, and the counts. No lease
 * protects the list, because several connections read the same tender. Each change is a transaction that is conditional
 * on the version of the displayed row. The same transaction notes the reading or removes its note (docs/adr/0021).
 */
import * as z from 'zod';
import { newId } from '#shared/platform/ids.ts';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import { bytes, item } from '#shared/table/item.ts';
import { type Key, keys, type TenderAddress } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { TENDER_LIMITS } from '#shared/tenders/limits.ts';
import { VersionConflict } from '#shared/values/app-error.ts';
import { retryOnConflict } from '#shared/values/retry-on-conflict.ts';
import { searchText } from '#shared/values/search-text.ts';
import { byReading } from './tender.rules.ts';
import { compress, decompress, storedTenderRow, tenderRowId } from './tender-items.ts';
import { countName, isSamePlace, locateTender, type TenderPlace, toMonth } from './tender-list.rules.ts';
import { findReads, newerReading, type TenderReadNote, withoutDigest } from './tender-reads.store.ts';

/** Another reading of the tender was noted in the meantime. */
export class TenderListConflict extends VersionConflict {}

export const listedTenderItem = item(
  'listed tender',
  z.object({
    version: z.string(),
    observedAt: z.string(),
    day: z.string(),
    instant: z.string(),
    state: z.string(),
    /** Text that `q` searches. */
    text: z.string(),
    /** The row as the API returns it, without `observed_at` and `raw_ficha`, as deflated JSON. */
    row: bytes(),
  }),
);
export type ListedTender = ReturnType<typeof listedTenderItem.fromItem>;

export const listedRow = async ({ row, observedAt }: ListedTender): Promise<Row> => ({
  ...(await decompress(row)),
  observed_at: observedAt,
});

export const tenderEntryItem = item('tender entry', z.object({ text: z.string() }));

const textOf = (row: Row): string => {
  const text = (value: unknown): string | null =>
    typeof value === 'string' ? value.slice(0, TENDER_LIMITS.tenderSearchCharsMax) : null;
  return searchText([text(row.nombre), text(row.organismo_razon_social)], [text(row.organismo_rut)]);
};

/**
 * What to do with the connection's notes about a tender: an object is stored as the note of a new reading; null removes all
 * notes, when the connection is purged; undefined changes no note.
 */
export type ReadingChange = TenderReadNote | null | undefined;

const LIST_SCOPE = 'licitaciones';

/**
 * Finds the row to display. Among the connections that stored a copy of the row, the connection that read the tender
 * last provides the displayed row.
 */
const shownCopy = async (
  { organizationId, codigo }: TenderAddress,
  definition: ScopeDefinition,
  reads: ReadonlyMap<string, string>,
): Promise<{ row: Row; observedAt: string } | undefined> => {
  const rowId = tenderRowId(organizationId, definition, { codigo });
  for (const [connectionId, observedAt] of [...reads].sort(byReading)) {
    const stored = await table.get(keys.tenderRow({ organizationId, connectionId, codigo }, LIST_SCOPE, rowId));
    if (stored) return { row: (await storedTenderRow(stored)).row, observedAt };
  }
  return undefined;
};

const counted = (organizationId: string, changes: ReadonlyMap<string, Record<string, number>>): table.TransactItem[] =>
  [...changes].map(([month, add]) => ({ update: keys.tenderMonth(organizationId, month), add }));

/**
 * Returns the changes of the counts, by month. A tender that moves within a month changes only one item, since a
 * transaction may name each item once.
 */
const countChanges = (before: TenderPlace | undefined, next: TenderPlace | undefined) => {
  const changes = new Map<string, Record<string, number>>();
  const count = (place: TenderPlace | undefined, by: number): void => {
    if (!place) return;
    const month = toMonth(place.day);
    changes.set(month, { ...changes.get(month), [countName(place)]: by });
  };
  if (before?.day === next?.day && before?.state === next?.state) return changes;
  count(before, -1);
  count(next, 1);
  return changes;
};

const entryKey = ({ organizationId, codigo }: TenderAddress, place: TenderPlace): Key =>
  keys.tenderEntry(organizationId, place.state, place, codigo);

const isShownBy = (before: ListedTender | undefined, next: ListedTender | undefined): boolean =>
  isSamePlace(before, next) && before?.text === next?.text;

const entryChanges = (
  address: TenderAddress,
  before: ListedTender | undefined,
  next: ListedTender | undefined,
): table.TransactItem[] => {
  if (isShownBy(before, next)) return [];
  const old = before && entryKey(address, before);
  const put = next && { ...entryKey(address, next), ...tenderEntryItem.toItem({ text: next.text }) };
  return [...(old && old.sk !== put?.sk ? [{ remove: old }] : []), ...(put ? [{ put }] : [])];
};

const toListed = async (shown: { row: Row; observedAt: string }): Promise<ListedTender> => ({
  version: newId(),
  observedAt: shown.observedAt,
  ...locateTender(shown.row),
  text: textOf(shown.row),
  row: await compress(shown.row),
});

/**
 * Returns the changes of the note: the new note, or the removal. If the same connection has noted a newer reading, only
 * the digest of the newer reading is removed.
 */
const readingChanges = (
  address: TenderAddress,
  own: string | undefined,
  change: ReadingChange,
  otherwise: () => Error,
): table.TransactItem[] => {
  const key = keys.tenderRead(address);
  if (change === undefined) return [];
  if (change === null) return [{ remove: key }];
  if (own !== undefined && own > change.at)
    return [{ update: key, ...withoutDigest(LIST_SCOPE, change.at), otherwise }];
  if (own === change.at) return [];
  return [{ update: key, ...newerReading(LIST_SCOPE, change), otherwise }];
};

const listOnce = async (address: TenderAddress, definition: ScopeDefinition, change: ReadingChange): Promise<void> => {
  const { organizationId, connectionId, codigo } = address;
  const otherwise = (): Error => new TenderListConflict(codigo);
  const key = keys.tenderListed(organizationId, codigo);
  // The displayed row is read before the copies. If another reading is noted after this point, the version changes and
  // this attempt fails.
  const stored = await table.get(key);
  const before = stored && listedTenderItem.fromItem(stored);
  const reads = new Map(await findReads(organizationId, codigo, LIST_SCOPE));
  const own = reads.get(connectionId);
  if (change === null) reads.delete(connectionId);
  else if (change && (own === undefined || own < change.at)) reads.set(connectionId, change.at);
  const shown = await shownCopy(address, definition, reads);
  const next = shown && (await toListed(shown));
  const asSeen = before
    ? { if: '#version = :version', values: { version: before.version }, otherwise }
    : { if: 'attribute_not_exists(#version)', otherwise };
  await table.transact([
    ...readingChanges(address, own, change, otherwise),
    next ? { put: { ...key, ...listedTenderItem.toItem(next) }, ...asSeen } : { remove: key, ...asSeen },
    ...entryChanges(address, before, next),
    ...counted(organizationId, countChanges(before, next)),
  ]);
};

/**
 * Notes a reading of the tender, removes the connection's notes, or leaves them unchanged. Then updates the list to the
 * rows that the API now returns.
 */
export const listTender = (address: TenderAddress, definition: ScopeDefinition, change: ReadingChange): Promise<void> =>
  retryOnConflict([TenderListConflict], TENDER_LIMITS.tenderListAttemptsMax, () =>
    listOnce(address, definition, change),
  );
