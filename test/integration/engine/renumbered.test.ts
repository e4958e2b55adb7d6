/**
 * A run compared with stored rows: changed numbers and missing accounts are reported once, and dozens of other
 * movements under old numbers are refused.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { findSummary } from '#shared/rows/index/page-index.store.ts';
import { readPage } from '#shared/rows/read/read-page.store.ts';
import { banktwoMovements } from '#shared/scopes/banktwo-movements.ts';
import { source as banktwo } from '#shared/sources/banktwo/source.ts';
import type { JsonObject, SourceAdapter } from '#shared/sources/source.ts';
import { tellAccounts } from '#shared/sources/truth/gone-accounts.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { isTerminal } from '#shared/sync/run.rules.ts';
import { startRun } from '#shared/sync/start-run.ts';
import { type EngineWorld, startEngine } from '#test/helpers/engine.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { ROW_MAKERS } from '#test/helpers/scope-rows.ts';

const PERIOD = '2026-10';
const COUNT = 40;

const movements = (shift = 0, factor = 1): JsonObject[] =>
  Array.from({ length: COUNT }, (_, n) => ({
    ...(ROW_MAKERS['banktwo.movements']!(randomFrom(1), PERIOD, 0) as JsonObject),
    amount: String((n + 1) * factor),
    saldo_contable: String(((n + 1) * (n + 2) * factor) / 2),
    direction: 'received',
    tipo: 'A',
    movement_number: String(n + shift),
  }));

let shown: JsonObject[] = [];
let listed: string[] = [];
const EMPTY = { code: 'banktwo.movements.columns_missing', message: 'a name is empty' } as const;
const source: SourceAdapter = {
  ...banktwo,
  connect: (_, io) => io.login(async () => ({ accessToken: 'x' })),
  pull: async (_request, { ask }) => {
    await ask('movements', async () => ({
      request: {},
      contentType: 'application/json',
      body: new TextEncoder().encode(JSON.stringify(shown)),
    }));
  },
  parse: ({ known }, [answer]) => [
    ...(JSON.parse(new TextDecoder().decode(answer!.body)) as JsonObject[]).map((row) => ({
      row: { row, raw: row, answerKey: 'movements' },
    })),
    ...tellAccounts(
      'banktwo',
      listed.map((number) => ({ number })),
      known,
    ),
    { whereKept: EMPTY },
  ],
};

let world: EngineWorld;
beforeAll(async () => {
  world = await startEngine(source, banktwoMovements);
});
afterEach(() => void world.dieAt(Number.POSITIVE_INFINITY));
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
  return (
    await readPage({ address, scope: banktwoMovements, filter, offset: 0, limit: 200 }, await findSummary(address))
  ).rows;
};

test('numbers that are all shifted are reported; other movements under them are refused, and nothing is written', async () => {
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
        message: `${PERIOD}: The source changed the number of ${COUNT} stored rows. Their ids stay the same.`,
      },
    ],
  });
  expect(await stored(connection)).toEqual(before);
  expect(await sync(connection, movements(1))).toMatchObject({ status: 'ok', notices: [] });

  expect(await sync(connection, movements(0, 100))).toMatchObject({
    status: 'failed',
    errorCode: 'source.unexpected_response',
    errorMessage: `Movimientos, ${PERIOD}: ${COUNT} stored rows have other data now, more than are accepted at once; they are stored if a sync 20 hours later shows the same`,
  });
  expect(await stored(connection)).toEqual(before);

  world.advance(20 * 3_600_000);
  expect(await sync(connection, movements(0, 100))).toMatchObject({
    status: 'ok',
    recordsUpdated: COUNT,
    notices: [
      {
        code: 'banktwo.movements.rows_rewritten',
        message: `${PERIOD}: ${COUNT} stored rows were replaced by other data.`,
      },
    ],
  });
});

test('a worker that dies anywhere reports rows that became others', { timeout: 240_000 }, async () => {
  const corrected = movements().map((row, n) =>
    n < 3 ? { ...row, amount: '7', saldo_contable: `${9_000 + n}` } : row,
  );
  let deaths = 0;
  for (let call = 5; ; call += 3) {
    world.dieAt(Number.POSITIVE_INFINITY);
    const connection = await world.connect({ client_id: `dies at ${call}` });
    await sync(connection, movements());
    shown = corrected;
    const request = { runId: randomUUID(), scopes: ['movements'], inputMetadata: { periods: [PERIOD] } };
    const { id } = await startRun(connection, { ...request, trigger: 'manual' });
    const death = world.dieAt(call);
    let run = await runs.find(world.organizationId, connection.id, id);
    for (let minute = 0; minute < 20 && !isTerminal(run!); minute++) {
      await world.drain();
      world.advance(60_000);
      await world.sweep();
      run = await runs.find(world.organizationId, connection.id, id);
    }
    const { status, notices } = run!.outcomes.movements!;
    expect([status, notices.map(({ code }) => code)], `died at call ${call}`).toEqual([
      'ok',
      // Three rows with other balances no longer fit the others.
      ['banktwo.movements.rows_rewritten', 'banktwo.movements.balances_broken'],
    ]);
    if (!death.died()) break;
    deaths++;
  }
  expect(deaths).toBeGreaterThan(5);
});

test('a missing account is reported by the first run that misses it, and again when it disappears again', async () => {
  const connection = await world.connect({ client_id: 'two accounts' });
  const told = async (accounts: string[]): Promise<string[]> => {
    listed = accounts;
    const { notices } = await sync(connection, movements());
    return notices.map(({ code }) => code);
  };
  const all = ['1', '2'];
  expect(await told(all)).toEqual([]);
  for (const _ of all) {
    expect(await told(['1'])).toEqual(['banktwo.accounts_gone']);
    expect(await told(['1'])).toEqual([]);
    expect(await told(all)).toEqual([]);
  }
});

test('an empty value is reported if a stored value stays, and otherwise not', async () => {
  const named = (counterparty_name: string | undefined) =>
    movements().map(({ counterparty_name: _, ...row }) => ({
      ...row,
      ...(counterparty_name && { counterparty_name }),
    }));
  const unnamed = await world.connect({ client_id: 'without names' });
  for (let n = 0; n < 2; n++) expect(await sync(unnamed, named(undefined))).toMatchObject({ notices: [] });
  expect(await sync(unnamed, named('INVENTOS SA'))).toMatchObject({ recordsUpdated: COUNT, notices: [] });
  for (let n = 0; n < 2; n++)
    expect(await sync(unnamed, named(undefined))).toMatchObject({ recordsUpdated: 0, notices: [EMPTY] });
});
