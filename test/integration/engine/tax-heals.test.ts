/**
 * Wrong guides or receipts that an earlier reading stored are corrected by the next right reading, or reported (tax.md
 * §13: T1, T4).
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { findSummary } from '#shared/rows/index/page-index.store.ts';
import { readPage } from '#shared/rows/read/read-page.store.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { taxBoletas } from '#shared/scopes/tax-boletas.ts';
import { taxGuias } from '#shared/scopes/tax-guias.ts';
import type { Parsed, RawAnswer, SourceAdapter } from '#shared/sources/source.ts';
import { createTaxSandbox, type TaxSandbox } from '#shared/sources/tax/sandbox/server.ts';
import { source as tax } from '#shared/sources/tax/source.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { startRun } from '#shared/sync/start-run.ts';
import { type EngineWorld, startEngine } from '#test/helpers/engine.ts';
import { createAsk, createIo, NOW_MS } from '#test/unit/sources/ask.ts';

const MONTH = '2026-10';
const BEFORE = '2026-09';
const CREDENTIALS = { rut: '70000002-8', password: 'clave-de-prueba' };
const SCOPES = { guias: taxGuias, boletas: taxBoletas };
type Scope = keyof typeof SCOPES;

/** Stored answers of a month, by the real adapter. */
const right = new Map<string, RawAnswer[]>();
/** Rows that a reading returns instead of its answers: as an earlier parser stored them. */
let left: ReadonlyMap<string, Row[]> = new Map();

/** All tests connect one login, and their runs do not report it. */
const { account: _, ...manifest } = tax.manifest;

const source: SourceAdapter = {
  ...tax,
  manifest,
  connect: (_, io) => io.login(async () => ({})),
  disconnect: async () => undefined,
  pull: async ({ scope, period }, { ask }) => {
    for (const answer of right.get(`${scope} ${period}`)!) await ask(answer.key, async () => answer);
  },
  parse: (request, answers): Iterable<Parsed> => {
    const rows = left.get(`${request.scope} ${request.period}`);
    if (!rows) return tax.parse(request, answers);
    return rows.map((row) => ({ row: { row, raw: {}, answerKey: answers[0]!.key } }));
  },
};

/** Retained rows are among those that the totals are compared with. */
const keptAmong = (scope: Scope, message: RegExp) => ({
  code: `tax.${scope}.totals_differ`,
  message: expect.stringMatching(message),
  params: { period: MONTH, count: expect.any(Number) },
});

let sandbox: TaxSandbox;
let world: EngineWorld;
beforeAll(async () => {
  sandbox = createTaxSandbox({ now: () => NOW_MS });
  const io = createIo(await sandbox.listen(0));
  const session = await tax.connect({ credentials: CREDENTIALS, metadata: {} }, io);
  for (const scope of ['guias', 'boletas'])
    for (const period of [BEFORE, MONTH]) {
      const { ask, kept } = createAsk();
      const request = { scope, period, credentials: CREDENTIALS, metadata: {}, input: {} };
      await tax.pull(request, { session, ask, io, progress: () => undefined });
      right.set(`${scope} ${period}`, [...kept.values()]);
    }
  world = await startEngine(source, taxGuias, [taxBoletas]);
});
afterAll(async () => {
  await world.stop();
  await sandbox.close();
});

const rowsOf = (scope: Scope, period: string): Row[] =>
  [...tax.parse({ scope, period, credentials: CREDENTIALS }, right.get(`${scope} ${period}`)!)].flatMap((item) =>
    'row' in item ? [item.row.row] : [],
  );

const sync = async (connection: Connection, scope: Scope, periods: string[], shown: Record<string, Row[]> = {}) => {
  left = new Map(Object.entries(shown).map(([period, rows]) => [`${scope} ${period}`, rows]));
  const request = { runId: randomUUID(), scopes: [scope], inputMetadata: { periods } };
  const { id } = await startRun(connection, { ...request, trigger: 'manual' });
  await world.drain({ jump: true });
  return (await runs.find(world.organizationId, connection.id, id))!.outcomes[scope]!;
};

const stored = async ({ id }: Connection, scope: Scope) => {
  const address = { organizationId: world.organizationId, connectionId: id, scope };
  const filter = { period: null, facets: {}, days: { from: null, to: null } };
  const { rows } = await readPage(
    { address, scope: SCOPES[scope], filter, offset: 0, limit: 1000 },
    await findSummary(address),
  );
  return rows.map(({ id: _, ...row }) => JSON.stringify({ ...row, updated_at: null })).sort();
};

const fresh = async (scope: Scope, periods: string[]) => {
  const connection = await world.connect(CREDENTIALS);
  expect(await sync(connection, scope, periods)).toMatchObject({ status: 'ok', notices: [] });
  return stored(connection, scope);
};

describe('guides', () => {
  test('of another month under this one go where they belong', async () => {
    const connection = await world.connect(CREDENTIALS);
    const others = rowsOf('guias', BEFORE).map((row) => ({ ...row, period: MONTH }));
    await sync(connection, 'guias', [MONTH], { [MONTH]: others });
    expect(await sync(connection, 'guias', [BEFORE, MONTH])).toMatchObject({ status: 'ok', notices: [] });
    expect(await stored(connection, 'guias')).toEqual(await fresh('guias', [BEFORE, MONTH]));
  });

  test('of another month under this one are reported while only this one is read', async () => {
    const connection = await world.connect(CREDENTIALS);
    const others = rowsOf('guias', BEFORE).map((row) => ({ ...row, period: MONTH }));
    await sync(connection, 'guias', [MONTH], { [MONTH]: others });
    expect((await sync(connection, 'guias', [MONTH])).notices).toEqual([
      {
        code: 'tax.guias.rows_kept',
        message: `${MONTH}: ${others.length} stored rows that the source does not show were kept.`,
        params: { period: MONTH, count: others.length },
      },
      keptAmong('guias', /direction \w+, document_type 52: .* \d+ rows that the source does not show are among them\./),
    ]);
  });

  test('a twin by zeros before its folio is reported, and the right guide is stored next to it', async () => {
    const connection = await world.connect(CREDENTIALS);
    const [first, ...rest] = rowsOf('guias', MONTH);
    await sync(connection, 'guias', [MONTH], { [MONTH]: [{ ...first, folio: `000${first!.folio}` }, ...rest] });
    expect(await sync(connection, 'guias', [MONTH])).toMatchObject({
      status: 'ok',
      notices: [
        {
          code: 'tax.guias.rows_kept',
          message: `${MONTH}: 1 stored row that the source does not show was kept.`,
          params: { period: MONTH, count: 1 },
        },
        keptAmong('guias', /: the source says rows \d+, .* 1 row that the source does not show is among them\./),
      ],
    });
    const rows = await stored(connection, 'guias');
    expect(rows.filter((row) => !row.includes('"folio":"000'))).toEqual(await fresh('guias', [MONTH]));
  });

  test('erased values come back with the next right reading', async () => {
    const connection = await world.connect(CREDENTIALS);
    const erased = rowsOf('guias', MONTH).map((row) => ({
      ...row,
      received_at: null,
      vat_rate: null,
      total_amount: null,
    }));
    await sync(connection, 'guias', [MONTH], { [MONTH]: erased });
    expect(await sync(connection, 'guias', [MONTH])).toMatchObject({ status: 'ok', notices: [] });
    expect(await stored(connection, 'guias')).toEqual(await fresh('guias', [MONTH]));
  });
});

test('days of another month under this one are overwritten, and foreign days are reported', async () => {
  const connection = await world.connect(CREDENTIALS);
  const days = rowsOf('boletas', MONTH);
  const missing = Array.from({ length: 31 }, (_, n) => n + 1).find(
    (day) => !days.some((row) => row.day === day && row.document_type === '39'),
  );
  expect(missing).toBeDefined();
  const lied = days.map((row) => ({ ...row, total_amount: '1' }));
  await sync(connection, 'boletas', [MONTH], { [MONTH]: [...lied, { ...lied[0], document_type: '39', day: missing }] });
  expect((await sync(connection, 'boletas', [MONTH])).notices).toEqual([
    {
      code: 'tax.boletas.rows_kept',
      message: `${MONTH}: 1 stored row that the source does not show was kept.`,
      params: { period: MONTH, count: 1 },
    },
    keptAmong('boletas', /document_type 39, told_by \w+: .* 1 row that the source does not show is among them\./),
  ]);
  const rows = await stored(connection, 'boletas');
  expect(rows.filter((row) => !(row.includes(`"day":${missing},`) && row.includes('"document_type":"39"')))).toEqual(
    await fresh('boletas', [MONTH]),
  );
});

test.each(['guias', 'boletas'] as const)(
  '%s: an empty month leaves stored rows unchanged, and is reported',
  async (scope) => {
    const connection = await world.connect(CREDENTIALS);
    await sync(connection, scope, [MONTH]);
    const before = await stored(connection, scope);
    expect(await sync(connection, scope, [MONTH], { [MONTH]: [] })).toMatchObject({
      status: 'ok',
      recordsFound: 0,
      notices: [
        {
          code: `tax.${scope}.rows_kept`,
          message: `${MONTH}: ${before.length} stored rows that the source does not show were kept.`,
          params: { period: MONTH, count: before.length },
        },
      ],
    });
    expect(await stored(connection, scope)).toEqual(before);
  },
);
