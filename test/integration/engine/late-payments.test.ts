/**
 * Payments that a worker writes late, over those of a batch that other workers wrote meanwhile. Their blocks carry no
 * sequence.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { markDirty } from '#shared/rows/index/page-index.store.ts';
import { readChildPage, writeChildRows } from '#shared/rows/item/child-rows.store.ts';
import { newRow } from '#shared/rows/item/row-items.ts';
import type { ScopeAddress } from '#shared/rows/item/scope-address.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { writePeriod } from '#shared/rows/write/write-period.ts';
import { bankoneNominas } from '#shared/scopes/bankone-nominas.ts';
import type { JsonObject } from '#shared/sources/source.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { takeForRepair } from '#shared/sync/task/lease.store.ts';
import type { Lease } from '#shared/table/lease.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import { type EngineWorld, startEngine } from '#test/helpers/engine.ts';
import { startMirror } from '#test/helpers/mirror.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { ROW_MAKERS } from '#test/helpers/scope-rows.ts';
import { scriptedBank } from './scripted-bank.ts';

const PERIOD = '2026-10';
const BATCHES = [1, 2];

let world: EngineWorld;
beforeAll(async () => {
  world = await startEngine(scriptedBank(), bankoneNominas);
});
afterAll(() => world.stop());

/** A batch with three payments in this state. */
const batch = ({ connectionId }: ScopeAddress, n: number, estado: string) => {
  const pagos = [1, 2, 3].map((linea) => ({ linea, monto: '10', currency: 'CLP', estado }));
  const made = ROW_MAKERS['bankone.nominas']!(randomFrom(n), PERIOD, n) as JsonObject;
  const row = bankoneNominas.parsed.parse({ ...made, pagos });
  return newRow(connectionId, bankoneNominas, { row, raw: { estado }, answerId: randomUUID() });
};

const write = (address: ScopeAddress, lease: Lease, estados: readonly string[]) =>
  writePeriod(
    { address, scope: bankoneNominas, runId: randomUUID(), lease, period: PERIOD },
    estados.map((estado, n) => batch(address, BATCHES[n]!, estado)),
  );

const sync = async (address: ScopeAddress, estados: readonly string[]) => {
  const { lease, done } = await takeForRepair(address);
  const counts = await write(address, lease, estados);
  await done();
  return counts;
};

const statesOf = async (address: ScopeAddress, n: number) => {
  const page = await readChildPage(address, batch(address, n, '').id, 0, 10);
  return page!.rows.map(({ estado }) => estado);
};

/** A superseded worker has the payments of a batch on their way; the next two runs write the batch without them. */
const takeOver = async () => {
  const connection = await world.connect({ login: randomUUID() });
  const address = { organizationId: world.organizationId, connectionId: connection.id, scope: 'nominas' };
  await sync(address, ['CREADO', 'CREADO']);
  const { lease } = await takeForRepair(address);
  await markDirty(address, PERIOD, lease);
  world.advance(SYNC_LIMITS.leaseMs + TABLE_LIMITS.leaseMarginMs + 1);
  await sync(address, ['PENDIENTE', 'CREADO']);
  await sync(address, ['PAGADO', 'CREADO']);
  const held = { address, scope: bankoneNominas, period: PERIOD, lease };
  const putLate = () => writeChildRows(held, batch(address, 1, 'RECHAZADO'), 3, () => undefined);
  return { address, putLate };
};

const settle = async (): Promise<void> => {
  for (const waitMs of [ROW_LIMITS.dirtyPeriodMs, TABLE_LIMITS.lateWriteMs, ROW_LIMITS.dirtyPeriodMs]) {
    world.advance(waitMs);
    await world.sweep();
  }
};

test('are replaced by the next sync that shows the batch as it was', async () => {
  const { address, putLate } = await takeOver();
  await putLate();
  expect(await statesOf(address, 1)).toEqual(['RECHAZADO', 'RECHAZADO', 'RECHAZADO']);
  const mirror = startMirror(address, 'nominas');
  await mirror.catchUp();
  await settle();
  expect((await mirror.catchUp()).map(({ id }) => id)).toContain(batch(address, 1, '').id);
  await sync(address, ['PAGADO', 'CREADO']);
  expect(await statesOf(address, 1)).toEqual(['PAGADO', 'PAGADO', 'PAGADO']);
  expect((await mirror.catchUp()).map(({ id }) => id)).toEqual([batch(address, 1, '').id]);
});

test('batches are written again once, and those from before the takeover stay unchanged', async () => {
  const { address } = await takeOver();
  await settle();
  expect(await sync(address, ['PAGADO', 'CREADO'])).toMatchObject({ found: 2, updated: 1 });
  expect(await sync(address, ['PAGADO', 'CREADO'])).toMatchObject({ found: 2, updated: 0 });
  await settle();
  expect(await sync(address, ['PAGADO', 'CREADO'])).toMatchObject({ found: 2, updated: 0 });
});
