/** A run beside what is stored: numbers that changed are told, and dozens of other movements under old ones are refused. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findSummary } from '#shared/data/page-indexes.ts';
import { readPage } from '#shared/data/row-pages.ts';
import * as runs from '#shared/data/runs.ts';
import type { Connection } from '#shared/domain/connection.ts';
import { startRun } from '#shared/engine/start-run.ts';
import { banktwoMovements } from '#shared/scopes/banktwo-movements.ts';
import { source as banktwo } from '#shared/sources/banktwo/source.ts';
import type { JsonObject, SourceAdapter } from '#shared/sources/source.ts';
import { type EngineWorld, startEngine } from '#test/helpers/engine.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { ROW_MAKERS } from '#test/helpers/scope-rows.ts';

const PERIOD = '2026-10';
const COUNT = 40;

const movements = (shift = 0, factor = 1): JsonObject[] =>
  Array.from({ length: COUNT }, (_, n) => ({
    ...(ROW_MAKERS['banktwo.movements']!(randomFrom(1), PERIOD, 0) as JsonObject),
    amount: String((n + 1) * factor),
    saldo_contable: String((n + 1) * (n + 2) * factor),
    direction: 'received',
    tipo: 'A',
    movement_number: String(n + shift),
  }));

let shown: JsonObject[] = [];
const source: SourceAdapter = {
  ...banktwo,
  connect: (_, io) => io.login(async () => ({ accessToken: 'x' })),
  pull: async (_request, _session, ask) => {
    await ask('movements', async () => ({
      request: {},
      contentType: 'application/json',
      body: new TextEncoder().encode(JSON.stringify(shown)),
    }));
  },
  parse: (_, [answer]) =>
    (JSON.parse(new TextDecoder().decode(answer!.body)) as JsonObject[]).map((row) => ({
      row: { row, raw: row, answerKey: 'movements' },
    })),
};

let world: EngineWorld;
beforeAll(async () => {
  world = await startEngine(source, banktwoMovements);
});
afterAll(() => world.stop());

const sync = async (connection: Connection, rows: JsonObject[]) => {
  shown = rows;
  const request = { runId: randomUUID(), scopes: ['movements'], inputMetadata: { periods: [PERIOD] } };
  const { id } = await startRun(connection, { ...request, trigger: 'manual' });
  await world.drain({ jump: true });
  return (await runs.find(world.organizationId, connection.id, id))!.outcomes.movements!;
};

const stored = async ({ id }: Connection) => {
  const address = { organizationId: world.organizationId, connectionId: id, scope: 'movements' };
  const filter = { period: null, facets: {}, days: { from: null, to: null } };
  return (await readPage(address, banktwoMovements, filter, 0, 200, await findSummary(address))).rows;
};

test('numbers that are all shifted are told; other movements under them are refused, and nothing is written', async () => {
  const connection = await world.connect({ client_id: 'inventos' });
  expect(await sync(connection, movements())).toMatchObject({ status: 'ok', recordsCreated: COUNT, notices: [] });
  const before = await stored(connection);
  expect(before).toHaveLength(COUNT);

  expect(await sync(connection, movements(1))).toMatchObject({
    status: 'ok',
    recordsCreated: 0,
    recordsUpdated: 0,
    notices: [
      {
        code: 'banktwo.movements.numbers_changed',
        message: `${PERIOD}: ${COUNT} rows came under another number than before, and stayed the stored ones.`,
      },
    ],
  });
  expect(await stored(connection)).toEqual(before);

  expect(await sync(connection, movements(0, 100))).toMatchObject({
    status: 'failed',
    errorCode: 'source.unexpected_response',
    errorMessage: `movements ${PERIOD}: ${COUNT} stored rows are something else now, at most 12 may be`,
  });
  expect(await stored(connection)).toEqual(before);
});
