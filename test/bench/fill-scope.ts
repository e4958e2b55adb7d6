/**
 * Writes many rows of a scope into the table without a sync: the same list items as the engine, in bulk, and the
 * engine's index. The full documents are left out, because no page reads one.
 */
import { nowIso } from '#shared/platform/clock.ts';
import { newId } from '#shared/platform/ids.ts';
import { markDirty } from '#shared/rows/index/page-index.store.ts';
import { readPeriod } from '#shared/rows/index/row-partition.store.ts';
import { storeIndex } from '#shared/rows/index/store-index.store.ts';
import {
  listItem,
  type NewRow,
  newRow,
  type RowHistory,
  sequenceFields,
  sequencesOfItem,
} from '#shared/rows/item/row-items.ts';
import type { HeldPeriod, ScopeAddress } from '#shared/rows/item/scope-address.ts';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import { takeForRepair } from '#shared/sync/task/lease.store.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import { nextSequence } from '#shared/table/late-writers.ts';
import type { Lease } from '#shared/table/lease.ts';
import * as table from '#shared/table/table.ts';
import { addMonths } from '#shared/values/dates.ts';
import { readMonth, registerMonth } from './register-month.ts';

/** A benchmark has no heartbeat: its lease must outlast a busy machine. */
const LEASE_MS = 3_600_000;
/** Every month has at least this many days, so that a row may be given any of them. */
const DAYS_MAX = 28;

/** Newest first: the number of rows in each month, going back from the newest closed one. */
export interface Fill {
  scope: ScopeDefinition;
  sizes: readonly number[];
}

const dayIn = (period: string, day: string): string =>
  `${period}-${String(Math.min(Number(day.slice(-2)), DAYS_MAX)).padStart(2, '0')}`;

/** The same document in another month, under another number. */
const inPeriod = (row: Row, period: string, n: number): Row => ({
  ...row,
  period,
  folio: String(n),
  ...(typeof row.issued_at === 'string' ? { issued_at: dayIn(period, row.issued_at) } : {}),
});

/** A small month gets every kind of document that a large one has. */
const evenlyFrom = <T>(list: readonly T[], size: number): T[] =>
  Array.from({ length: size }, (_, n) => list[Math.floor((n * list.length) / size)]!);

const withLease = async <T>(address: ScopeAddress, work: (lease: Lease) => Promise<T>): Promise<T> => {
  const { lease, done } = await takeForRepair(address);
  lease.expiresAtMs += LEASE_MS;
  const result = await work(lease);
  await done();
  return result;
};

const fillPeriod = async (held: HeldPeriod, made: readonly NewRow[], runs: Omit<RowHistory, 'createdSequence'>) => {
  const sequence = nextSequence(held.lease);
  const history = { ...runs, createdSequence: sequence };
  await table.batchWrite({ puts: made.map((row) => listItem(held, row, history)) });
  const stored = made.map((row) => ({ ...row, sequence, createdSequence: sequence }));
  await storeIndex(held, stored, { sequence, comparedAtMs: null });
};

/** Returns the filled periods, newest first. */
export const fillScope = async (address: ScopeAddress, { scope, sizes }: Fill): Promise<string[]> => {
  const month = await registerMonth(Math.max(...sizes), scope);
  const { rows } = await readMonth(month, address.connectionId);
  if (rows.list.length < Math.max(...sizes)) throw new Error(`the sandbox has ${rows.list.length} of ${scope.name}`);
  const runs = { createdAt: nowIso(), createdRun: newId(), updatedRun: newId() };
  const periods: string[] = [];
  let n = 0;
  await withLease(address, async (lease) => {
    for (const [monthsAgo, size] of sizes.entries()) {
      const period = addMonths(month.period, -monthsAgo);
      const made: NewRow[] = rows
        .open(evenlyFrom(rows.list, size))
        .map(({ row, rawPayloadId }) =>
          newRow(address.connectionId, scope, { row: inPeriod(row, period, ++n), raw: {}, answerId: rawPayloadId }),
        );
      await fillPeriod({ address, scope, period, lease }, made, runs);
      periods.push(period);
    }
  });
  return periods;
};

/**
 * Writes rows of a period again, as far apart as possible, and announces them, as a sync that finds them changed.
 * Returns their keys.
 */
export const changeRows = (
  address: ScopeAddress,
  { scope, period, count }: { scope: ScopeDefinition; period: string; count: number },
): Promise<Key[]> =>
  withLease(address, async (lease) => {
    const held = { address, scope, period, lease };
    const sequence = nextSequence(lease);
    const rows = (await readPeriod(address, scope, period)).toSorted((a, b) => (a.sortKey < b.sortKey ? -1 : 1));
    const chosen = evenlyFrom(rows, count).map(({ facets, sortKey }) => ({
      pk: keys.rows(address, period, facets),
      sk: sortKey,
    }));
    const before = await table.batchGet(chosen);
    await markDirty(address, period, lease);
    await table.batchWrite({
      puts: before.map((found) => {
        const { createdSequence } = sequencesOfItem(found);
        return { ...found, ...sequenceFields({ sequence, createdSequence }) } as table.Item;
      }),
    });
    await storeIndex(held, await readPeriod(address, scope, period), { sequence, comparedAtMs: null });
    return chosen;
  });
