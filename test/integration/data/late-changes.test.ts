/**
 * What a reader of changes receives when a worker wrote a row late: situations that seldom occur in the histories of
 * `npm run faults`.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nowIso, plantClock } from '#shared/platform/clock.ts';
import { listItem, newRow } from '#shared/rows/item/row-items.ts';
import type { ScopeAddress } from '#shared/rows/item/scope-address.ts';
import { reindex, writePeriod } from '#shared/rows/write/write-period.ts';
import { bankoneMovements } from '#shared/scopes/bankone-movements.ts';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { takeForRepair } from '#shared/sync/task/lease.store.ts';
import { keys } from '#shared/table/keys.ts';
import { nextSequence } from '#shared/table/late-writers.ts';
import type { Lease } from '#shared/table/lease.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import * as table from '#shared/table/table.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { startMirror } from '#test/helpers/mirror.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { ROW_MAKERS } from '#test/helpers/scope-rows.ts';
import { storeConnection } from '#test/helpers/stored-connection.ts';

const FIRST = '2026-09';
const SECOND = '2026-10';

let server: EngineTable;
let clockMs = Date.parse('2026-11-21T12:00:00.000Z');
beforeAll(async () => {
  server = await startEngineTable();
  plantClock(() => clockMs);
});
afterAll(async () => {
  plantClock(undefined);
  await server.stop();
});

const scopeOf = async (scope: ScopeDefinition): Promise<ScopeAddress> => {
  const organizationId = randomUUID();
  return { organizationId, connectionId: await storeConnection(organizationId, scope.source), scope: scope.name };
};

const read = (address: ScopeAddress, scope: ScopeDefinition, row: Row) =>
  newRow(address.connectionId, scope, { row, raw: {}, answerId: randomUUID() });

const write = (address: ScopeAddress, scope: ScopeDefinition, lease: Lease, rows: Row[], closed: string[] = []) =>
  writePeriod(
    { address, scope, runId: randomUUID(), lease, period: String(rows[0]!.period) },
    rows.map((row) => read(address, scope, row)),
    { closed },
  );

const document = (n: number, period: string): Row => ({ ...ROW_MAKERS['tax.rcv']!(randomFrom(1), period, n), period });

/** Stores the list row of a delayed write: it carries the sequence of that write. */
const putLate = async (address: ScopeAddress, scope: ScopeDefinition, lease: Lease, row: Row): Promise<void> => {
  const made = read(address, scope, row);
  const held = { address, scope, period: String(row.period), lease };
  const history = { createdAt: nowIso(), createdRun: 'r', updatedRun: 'r', createdSequence: nextSequence(lease) };
  await table.put(listItem(held, made, history));
};

/** Another worker takes over a scope whose holder did not release it. */
const takeOver = async (address: ScopeAddress): Promise<{ lease: Lease; done: () => Promise<void> }> => {
  clockMs += SYNC_LIMITS.leaseMs + TABLE_LIMITS.leaseMarginMs + 1;
  return takeForRepair(address);
};

const lookAgain = async (address: ScopeAddress, scope: ScopeDefinition): Promise<void> => {
  clockMs += TABLE_LIMITS.lateWriteMs + 1;
  const { lease, done } = await takeForRepair(address);
  for (const period of [FIRST, SECOND]) await reindex(address, scope, period, lease);
  await done();
};

test('the row that stays next to a late copy is sent again, also to readers who saw the late one', async () => {
  const address = await scopeOf(taxRcv);
  const mirror = startMirror(address);
  const { lease: slow } = await takeForRepair(address);
  await write(address, taxRcv, slow, [document(1, SECOND), document(2, SECOND)]);
  // The next worker moves the document to the first month, and the slow one writes it to its old place.
  const { lease, done } = await takeOver(address);
  await write(address, taxRcv, lease, [document(1, FIRST)]);
  await putLate(address, taxRcv, slow, document(1, SECOND));
  await done();
  const told = await mirror.catchUp();
  const { id } = read(address, taxRcv, document(1, FIRST));
  expect(told.filter((change) => change.id === id).map(({ period }) => period)).toEqual([FIRST, SECOND]);

  await lookAgain(address, taxRcv);
  await mirror.catchUp();
  expect(mirror.rows.get(`rcv|${id}`)).toMatchObject({ period: FIRST });
  expect(mirror.rows.size).toBe(2);
});

test('a late row whose document another worker wrote and did not list is deleted', async () => {
  const address = await scopeOf(taxRcv);
  const mirror = startMirror(address);
  const { lease: slow } = await takeForRepair(address);
  await write(address, taxRcv, slow, [document(1, SECOND), document(2, SECOND)]);
  const { lease, done } = await takeOver(address);
  await write(address, taxRcv, lease, [document(1, FIRST)]);
  const moved = read(address, taxRcv, document(1, FIRST));
  await table.remove({ pk: keys.rows(address, FIRST, moved.facets), sk: moved.sortKey });
  await putLate(address, taxRcv, slow, document(1, SECOND));
  await done();
  await mirror.catchUp();
  expect(mirror.rows.has(`rcv|${moved.id}`)).toBe(true);

  await lookAgain(address, taxRcv);
  const told = await mirror.catchUp();
  expect(told.find(({ id }) => id === moved.id)).toMatchObject({ change: 'deleted', runId: null, period: SECOND });
  expect(mirror.rows.size).toBe(1);
});

test('a row that a closed statement confirms carries the sequence of the confirmation, and is sent again', async () => {
  const account = '501230000818';
  const movement = (provisional: boolean): Row => ({
    ...ROW_MAKERS['bankone.movements']!(randomFrom(1), SECOND, 1),
    period: SECOND,
    numero_cuenta: account,
    provisional,
  });
  const address = await scopeOf(bankoneMovements);
  const mirror = startMirror(address);
  const { lease } = await takeForRepair(address);
  await write(address, bankoneMovements, lease, [movement(true)]);
  await mirror.catchUp();
  const { facets, sortKey, id } = read(address, bankoneMovements, movement(true));
  const stored = () => table.get({ pk: keys.rows(address, SECOND, facets), sk: sortKey });
  const before = await stored();
  await write(address, bankoneMovements, lease, [movement(false)], [account]);
  const after = await stored();
  expect(after).toMatchObject({ row: before!.row, is_open: false, n0: before!.n });
  expect(Number(after!.n)).toBeGreaterThan(Number(before!.n));
  expect((await mirror.catchUp()).map((change) => [change.id, change.change])).toEqual([[id, 'updated']]);
});
