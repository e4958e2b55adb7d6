/**
 * A worker freezes between its look at the clock and a `BatchWriteItem`, and writes its rows while others have the
 * scope, or after they left. Found by the fault simulation (seed 4789).
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { contract } from '#functions/workers/sync-scope/contract.ts';
import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { dirtyPeriods, findSummary, markDirty } from '#shared/rows/index/page-index.store.ts';
import { readPeriod } from '#shared/rows/index/row-partition.store.ts';
import { storeIndex } from '#shared/rows/index/store-index.store.ts';
import { newRow } from '#shared/rows/item/row-items.ts';
import type { ScopeAddress } from '#shared/rows/item/scope-address.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { readPage } from '#shared/rows/read/read-page.store.ts';
import { writeRows } from '#shared/rows/write/row.store.ts';
import { reindex, writePeriod } from '#shared/rows/write/write-period.ts';
import { type RcvRow, taxRcv } from '#shared/scopes/tax-rcv.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { takeForRepair } from '#shared/sync/task/lease.store.ts';
import { keys } from '#shared/table/keys.ts';
import { toSequence } from '#shared/table/late-writers.ts';
import type { Lease } from '#shared/table/lease.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import * as table from '#shared/table/table.ts';
import type { EngineWorld } from '#test/helpers/engine.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { ROW_MAKERS } from '#test/helpers/scope-rows.ts';
import { useScriptedEngine } from './scripted-engine.ts';

const scripted = useScriptedEngine();
let world: EngineWorld;
beforeAll(() => {
  ({ world } = scripted);
});

const PERIOD = '2026-10';
const incoming = (address: ScopeAddress, n: number) =>
  newRow(address.connectionId, taxRcv, {
    row: ROW_MAKERS['tax.rcv']!(randomFrom(n), PERIOD, n) as RcvRow,
    raw: {},
    answerId: randomUUID(),
  });

const scopeOf = async (): Promise<ScopeAddress> => {
  const connection = await world.connect({ login: 'good' });
  return { organizationId: world.organizationId, connectionId: connection.id, scope: 'rcv' };
};

const total = async (address: ScopeAddress): Promise<number> => {
  const filter = { period: null, facets: {}, days: { from: null, to: null } };
  return (await readPage({ address, scope: taxRcv, filter, offset: 0, limit: 50 }, await findSummary(address))).total;
};

const periodItem = (address: ScopeAddress) => table.get(keys.period(address, PERIOD));

/** A worker's write under a lease that it last checked in time. */
const writeUnder = (address: ScopeAddress, lease: Lease, n: number): Promise<number> =>
  writeRows(
    {
      address,
      scope: taxRcv,
      period: PERIOD,
      runId: randomUUID(),
      lease: { ...lease, expiresAtMs: Number.POSITIVE_INFINITY },
    },
    [
      {
        row: incoming(address, n),
        history: { createdAt: nowIso(), createdRun: 'r', updatedRun: 'r', createdSequence: toSequence(lease) },
        childrenBefore: 0,
      },
    ],
  );

/** One row is written in time, a second one is delayed on its way; the sweeper repairs what the dead worker left. */
const takeOver = async () => {
  const address = await scopeOf();
  const { lease } = await takeForRepair(address);
  await markDirty(address, PERIOD, lease);
  await writeUnder(address, lease, 1);
  world.advance(ROW_LIMITS.dirtyPeriodMs + 1);
  await world.sweep();
  expect(await total(address)).toBe(1);
  return { address, lease };
};

describe('rows of a worker that was taken over', () => {
  test('are in lists and totals once no invocation of that time can be alive', async () => {
    const { address, lease } = await takeOver();
    await writeUnder(address, lease, 2);
    expect(await total(address)).toBe(1);
    world.advance(TABLE_LIMITS.lateWriteMs - 1_000);
    await world.sweep();
    expect(await total(address)).toBe(1);
    world.advance(1_000);
    await world.sweep();
    expect(await total(address)).toBe(2);
    expect(await periodItem(address)).not.toHaveProperty('due_pk');
  });

  test('are waited for once: if none came, nothing is due any more and the index says the same', async () => {
    const { address } = await takeOver();
    const before = await periodItem(address);
    expect(before).toMatchObject({ look_again_ms: expect.any(Number), due_pk: expect.any(String) });
    world.advance(TABLE_LIMITS.lateWriteMs);
    await world.sweep();
    const { packed, facets } = before!;
    const now = await periodItem(address);
    expect(now).toMatchObject({ packed, facets });
    for (const gone of ['look_again_ms', 'suspects', 'due_pk', 'due_sk']) expect(now).not.toHaveProperty(gone);
    // The rows of the superseded worker are announced once more, because some of them may have come late.
    expect(now!.seq).toBeGreaterThan(before!.seq as number);
  });

  test('are looked for all the same when a sync comes first, and while a worker has the scope', async () => {
    const { address, lease } = await takeOver();
    const { look_again_ms: until } = (await periodItem(address))!;
    const { lease: next, done } = await takeForRepair(address);
    const rows = [1, 3].map((n) => incoming(address, n));
    await writePeriod({ address, scope: taxRcv, runId: randomUUID(), lease: next, period: PERIOD }, rows);
    expect(await periodItem(address)).toMatchObject({ look_again_ms: until, due_pk: expect.any(String) });
    await writeUnder(address, lease, 2);
    world.advance(TABLE_LIMITS.lateWriteMs);
    const { done: release } = await takeForRepair(address);
    await world.sweep();
    expect(await total(address)).toBe(2);
    await release();
    world.advance(ROW_LIMITS.dirtyPeriodMs);
    await world.sweep();
    expect(await total(address)).toBe(3);
    expect(await periodItem(address)).not.toHaveProperty('due_pk');
    await done().catch(() => {});
  });

  test('are not expected where the writer itself made the index', async () => {
    const address = await scopeOf();
    const { lease, done } = await takeForRepair(address);
    await writePeriod({ address, scope: taxRcv, runId: randomUUID(), lease, period: PERIOD }, [incoming(address, 1)], {
      mayBeElsewhere: false,
    });
    await done();
    expect(await periodItem(address)).not.toHaveProperty('look_again_ms');
    expect(await periodItem(address)).not.toHaveProperty('due_pk');
  });
});

test('a second look counts by the time when it read the rows, not when it stores the index', async () => {
  const { address } = await takeOver();
  const { lease } = await takeForRepair(address);
  world.advance(TABLE_LIMITS.lateWriteMs - 1_000);
  const readAtMs = nowMs();
  const rows = await readPeriod(address, taxRcv, PERIOD);
  world.advance(2_000);
  await storeIndex({ address, scope: taxRcv, period: PERIOD, lease }, rows, { sequence: null, comparedAtMs: readAtMs });
  expect(await periodItem(address)).toMatchObject({ look_again_ms: expect.any(Number), due_pk: expect.any(String) });
  await storeIndex({ address, scope: taxRcv, period: PERIOD, lease }, rows, { sequence: null, comparedAtMs: nowMs() });
  expect(await periodItem(address)).not.toHaveProperty('look_again_ms');
});

describe('two copies of a document', () => {
  const MOVED_TO = '2026-09';
  const moved = (address: ScopeAddress, n: number) => {
    const { row, facets, sortKey, ...derived } = incoming(address, n);
    const there = { ...row, period: MOVED_TO, estado: 'reclamado', total_amount: '77' } as RcvRow;
    const made = newRow(address.connectionId, taxRcv, { row: there, raw: {}, answerId: randomUUID() });
    expect([made.id, made.facets]).toEqual([derived.id, expect.not.stringMatching(`^${facets}$`)]);
    return made;
  };
  const itemsOf = async (address: ScopeAddress, n: number) => {
    const [here, there] = [incoming(address, n), moved(address, n)];
    const at = (period: string, { facets, sortKey }: typeof here) =>
      table.get({ pk: keys.rows(address, period, facets), sk: sortKey });
    return {
      late: await at(PERIOD, here),
      listed: await at(MOVED_TO, there),
      full: await table.get(keys.fullRow(address, here.id)),
      there,
    };
  };

  /** The first worker is superseded with its row on the way; the next one finds the document in another month. */
  const takeOverAndMove = async () => {
    const address = await scopeOf();
    const { lease } = await takeForRepair(address);
    await markDirty(address, PERIOD, lease);
    world.advance(SYNC_LIMITS.leaseMs + TABLE_LIMITS.leaseMarginMs + 1);
    const { lease: next, done } = await takeForRepair(address);
    const rows = [moved(address, 1)];
    await writePeriod({ address, scope: taxRcv, runId: randomUUID(), lease: next, period: MOVED_TO }, rows);
    await done();
    return { address, lease };
  };
  /**
   * If two periods of a scope are due in one sweep, they may meet at its lease: the next sweep then repairs the second
   * one.
   */
  const settle = async (): Promise<void> => {
    for (const waitMs of [
      ROW_LIMITS.dirtyPeriodMs,
      TABLE_LIMITS.lateWriteMs,
      ROW_LIMITS.dirtyPeriodMs,
      TABLE_LIMITS.lateWriteMs,
    ]) {
      world.advance(waitMs);
      await world.sweep();
    }
  };

  test('the one that was written last stays, if a worker writes both of its items late', async () => {
    const { address, lease } = await takeOverAndMove();
    await writeUnder(address, lease, 1);
    await settle();
    expect(await total(address)).toBe(1);
    const { late, listed, full, there } = await itemsOf(address, 1);
    expect(late).toBeUndefined();
    expect(full).toMatchObject({ period: MOVED_TO, facets: there.facets, sort_key: there.sortKey, n: listed!.n });
    expect(JSON.parse(String(full!.row))).toMatchObject({ period: MOVED_TO, estado: 'reclamado', total_amount: '77' });
  });

  test.each([
    { first: PERIOD, second: MOVED_TO },
    { first: MOVED_TO, second: PERIOD },
  ])('only one stays, in any order of the periods: $first first', async ({ first, second }) => {
    const { address, lease } = await takeOverAndMove();
    await writeUnder(address, lease, 1);
    const repair = async (period: string): Promise<void> => {
      const { lease: own, done } = await takeForRepair(address);
      await reindex(address, taxRcv, period, own);
      await done();
    };
    for (const period of [first, second]) await repair(period);
    world.advance(TABLE_LIMITS.lateWriteMs);
    for (const period of [first, second]) await repair(period);
    expect(await total(address)).toBe(1);
    const { late, listed, full, there } = await itemsOf(address, 1);
    expect(late).toBeUndefined();
    expect(full).toMatchObject({ period: MOVED_TO, facets: there.facets, sort_key: there.sortKey, n: listed!.n });
    expect(await dirtyPeriods(address)).toEqual([]);
  });

  test('whose content is not known for sure is written again by the next sync', async () => {
    const { address, lease } = await takeOverAndMove();
    await writeUnder(address, lease, 1);
    await settle();
    const { lease: next, done } = await takeForRepair(address);
    const writer = { address, scope: taxRcv, runId: randomUUID(), lease: next, period: MOVED_TO };
    expect(await writePeriod(writer, [moved(address, 1)])).toMatchObject({ found: 1, updated: 1 });
    await done();
    const { listed, full, there } = await itemsOf(address, 1);
    expect([listed!.hash, full!.hash]).toEqual([there.hash, there.hash]);
  });
});

test('nobody can write so late: an invocation of a scope ends long before', () => {
  expect(TABLE_LIMITS.lateWriteMs).toBeGreaterThanOrEqual(3 * contract.timeoutSeconds * 1000);
});
