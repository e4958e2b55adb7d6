/** A scope with rows written as in a sync, and the model of its lists' expected answers. */

import { randomUUID } from 'node:crypto';
import { newRow } from '#shared/rows/item/row-items.ts';
import type { ScopeAddress } from '#shared/rows/item/scope-address.ts';
import { keepNumberNotes } from '#shared/rows/write/number-notes.store.ts';
import type { PeriodCounts } from '#shared/rows/write/period-counts.ts';
import { type WriteOptions, writePeriod } from '#shared/rows/write/write-period.ts';
import { type Row, type ScopeDefinition, scopeId } from '#shared/scopes/scope.ts';
import { takeForRepair } from '#shared/sync/task/lease.store.ts';
import type { Lease } from '#shared/table/lease.ts';
import type { Random } from './random.ts';
import { type ModelFilter, type ModelRow, modelRow } from './read-model.ts';
import { PERIODS, ROW_MAKERS } from './scope-rows.ts';

export interface SyncedScope {
  scope: ScopeDefinition;
  address: ScopeAddress;
  lease: Lease;
  model: Map<string, ModelRow>;
  sync(
    period: string,
    rows: readonly Row[],
    closed?: readonly string[],
    recognizes?: boolean,
    doubtful?: readonly string[],
  ): Promise<Happened>;
  /** Like `sync`, with every option of a reading. */
  write(period: string, rows: readonly Row[], options: WriteOptions, runId?: string): Promise<Happened>;
}

export type Happened = Pick<PeriodCounts, 'found' | 'created' | 'updated'> & Partial<PeriodCounts>;

/** The counts without zeros and empty lists, so that a test names only what happened and `toEqual` still compares everything. */
export const happened = ({ notes: _, walks: __, found, created, updated, ...others }: PeriodCounts): Happened => ({
  ...{ found, created, updated },
  ...(Object.fromEntries(
    Object.entries(others).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : Boolean(value))),
  ) as Partial<PeriodCounts>),
});

export const newSyncedScope = async (
  scope: ScopeDefinition,
  owner: { organizationId: string; connectionId: string } = {
    organizationId: randomUUID(),
    connectionId: randomUUID(),
  },
): Promise<SyncedScope> => {
  const address = { ...owner, scope: scope.name };
  const taken = await takeForRepair(address);
  // The lease lasts for the whole test: nobody renews it, and a slow machine takes longer than its minute.
  const lease = { ...taken.lease, expiresAtMs: Number.POSITIVE_INFINITY };
  const model = new Map<string, ModelRow>();
  const write: SyncedScope['write'] = async (period, rows, options, runId = randomUUID()) => {
    const made = rows.map((row) =>
      newRow(address.connectionId, scope, {
        row: scope.parsed.parse(row),
        raw: { wire: row.folio ?? null },
        answerId: randomUUID(),
      }),
    );
    const unique = [...new Map(made.map((row) => [row.id, row])).values()];
    rows.forEach((row, n) => {
      const { id } = made[n]!;
      model.set(id, modelRow(scopeId(scope), id, row));
    });
    const writer = { address, scope, runId, lease, period };
    const counts = await writePeriod(writer, unique, options);
    const { notes } = counts;
    if (notes) await keepNumberNotes(writer, notes.period, notes.before, notes.after);
    return happened(counts);
  };
  return {
    ...{ scope, address, lease, model, write },
    sync: (period, rows, closed = [], recognizes = false, doubtful = []) =>
      write(period, rows, { closed, recognizes, doubtful }),
  };
};

/** The scope without the rules that hold back random rows, because they contradict each other. */
export const withoutContradictions = ({ facts: _, walk: __, ...scope }: ScopeDefinition): ScopeDefinition => scope;

/** Several syncs: rows appear, change, move and return. */
export const syncRandomly = async (synced: SyncedScope, random: Random, rowsMax: number): Promise<void> => {
  const make = ROW_MAKERS[scopeId(synced.scope)];
  if (!make) throw new Error(`no row maker for ${scopeId(synced.scope)}`);
  for (let n = random.int(1, 4); n > 0; n--) {
    const period = random.pick(PERIODS);
    const rows = Array.from({ length: random.int(0, rowsMax) }, () => make(random, period, random.int(1, rowsMax)));
    await synced.sync(period, rows);
  }
};

const BOUNDS = [
  '2026-08-31',
  '2026-09-01',
  '2026-09-16',
  '2026-10-01',
  '2026-10-15',
  '2026-10-17',
  '2026-11-28',
  '2027-01-01',
];
const QUESTIONS = [
  'ñ',
  'NANDU',
  'muñoz',
  'MUNOZ H',
  's.a.',
  '7',
  '76.543.210-3',
  '765',
  '-',
  'k',
  '01-k',
  ' ',
  'zzz',
  'x',
];
const CURRENCIES = ['CLP', 'USD', 'CLF', 'EUR'];

export interface Asked extends ModelFilter {
  offset: number;
  limit: number;
}

export const randomAsk = (scope: ScopeDefinition, random: Random, rowsMax: number): Asked => {
  const some = <T>(list: readonly T[], probability: number): T | undefined =>
    random.chance(probability) ? random.pick(list) : undefined;
  const bounds = [some(BOUNDS, 0.4), some(BOUNDS, 0.4)];
  if (bounds[0] !== undefined && bounds[1] !== undefined) bounds.sort();
  const fields = Object.entries(scope.facets).map(([field, values]) => [field, some(values, 0.5)]);
  return {
    period: scope.periodic ? some([...PERIODS, '2025-01'], 0.4) : undefined,
    from: bounds[0],
    to: bounds[1],
    q: scope.search ? some(QUESTIONS, 0.6) : undefined,
    fields: Object.fromEntries([
      ...fields,
      ...(scope.search?.exact ? [[scope.search.exact, some(['33', '61', '3', '39'], 0.4)]] : []),
      ...(scope.openFacets ? [['currency', some(CURRENCIES, 0.5)]] : []),
    ]),
    offset: random.chance(0.5) ? 0 : random.int(0, rowsMax + 5),
    limit: random.pick([1, 2, 7, 50, 200]),
  };
};
