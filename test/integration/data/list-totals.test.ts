/** Totals of lists: they equal the rows of the list under any filters, whether the rows are read or not. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { markDirty } from '#shared/rows/index/page-index.store.ts';
import { LISTS } from '#shared/scopes/lists.gen.ts';
import { type SummedScope, scopeId } from '#shared/scopes/scope.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { bearer, type Credential, keyOf } from '#test/helpers/callers.ts';
import { askTotals, expectTotals, queryOf, SUMMED_SCOPES } from '#test/helpers/list-totals.ts';
import { type Random, randomFrom } from '#test/helpers/random.ts';
import { expectedRows } from '#test/helpers/read-model.ts';
import { PERIODS, ROW_MAKERS } from '#test/helpers/scope-rows.ts';
import { storeConnection } from '#test/helpers/stored-connection.ts';
import { newSyncedScope, randomAsk, type SyncedScope, withoutContradictions } from '#test/helpers/synced-scope.ts';
import { honestTotals } from '#test/helpers/tie-out.ts';

const ORGANIZATION = randomUUID();
const ROWS_MAX = 60;
const CASES = 25;

let server: EngineTable;
let caller: Credential;
beforeAll(async () => {
  server = await startEngineTable();
  caller = bearer((await keyOf(ORGANIZATION)).token);
});
afterAll(() => server.stop());

const newScope = async (scope: SummedScope): Promise<SyncedScope> => {
  const connectionId = await storeConnection(ORGANIZATION, scope.source);
  return newSyncedScope(withoutContradictions(scope), { organizationId: ORGANIZATION, connectionId });
};
const ask = ({ scope, address }: SyncedScope, query = '') => askTotals(caller, scope, address.connectionId, query);

/** Several syncs; in some of them the institution reports totals of what it shows. */
const syncSometimesTold = async (synced: SyncedScope, scope: SummedScope, random: Random): Promise<void> => {
  for (let n = random.int(1, 4); n > 0; n--) {
    const period = random.pick(PERIODS);
    const rows = Array.from({ length: random.int(0, ROWS_MAX) }, () =>
      ROW_MAKERS[scopeId(scope)]!(random, period, random.int(1, ROWS_MAX)),
    );
    const shown = [...new Map(rows.map((row) => [JSON.stringify(scope.naturalKey(row)), row])).values()];
    const isTold = scope.totals && random.chance(0.7);
    await synced.write(period, shown, isTold ? { told: { totals: honestTotals(scope, shown), whole: [] } } : {});
  }
};

describe.each(SUMMED_SCOPES.map((scope): [string, SummedScope] => [scopeId(scope), scope]))('%s', (_, scope) => {
  const seed = Math.floor(Math.random() * 2 ** 31);

  test(`adds up what the list returns (seed ${seed})`, async () => {
    const random = randomFrom(seed);
    const synced = await newScope(scope);
    await syncSometimesTold(synced, scope, random);
    for (let n = 0; n < CASES; n++) {
      const { limit: _, offset: __, ...asked } = randomAsk(scope, random, ROWS_MAX);
      const rows = expectedRows(synced.model.values(), asked).map(({ row }) => row);
      expectTotals(await ask(synced, queryOf(asked)), scope, rows, queryOf(asked));
    }
  });

  test.each(['limit=5', 'offset=0', 'direccion=issued', 'from=2026-10-02&to=2026-10-01', 'period=2026-13'])(
    '%s: 400',
    async (query) => {
      const { status, body } = await ask(await newScope(scope), query);
      expect([status, body.error.code]).toEqual([400, 'validation_error']);
    },
  );

  test('a connection of another organization, and one to another source: 404', async () => {
    const foreign = await storeConnection(randomUUID(), scope.source);
    expect((await askTotals(caller, scope, foreign)).body.error.code).toBe('connection_not_found');
    const source = Object.keys(LISTS).find((code) => code !== scope.source)!;
    const other = await askTotals(caller, scope, await storeConnection(ORGANIZATION, source));
    expect([other.status, other.body.error.code]).toEqual([404, 'scope_not_found']);
    expect(other.body.error.message).toContain(`Its lists: ${LISTS[source]!.join(', ')}.`);
  });
});

const makeRows = (scope: SummedScope, count: number, period = '2026-10', change: object = {}) =>
  Array.from({ length: count }, (_, n) => ({
    ...ROW_MAKERS[scopeId(scope)]!(randomFrom(n), period, n + 1),
    ...change,
  }));

test('stored totals that do not contain each row once are not used', async () => {
  const synced = await newScope(taxRcv);
  const rows = makeRows(taxRcv, 30, '2026-10', { direction: 'issued' });
  const honest = honestTotals(taxRcv, rows);
  const wanted = [...rows];
  const expectRight = async (what: string) => {
    expectTotals(await ask(synced, 'period=2026-10'), taxRcv, wanted, what);
  };
  await synced.write('2026-10', rows, { told: { totals: honest.slice(1), whole: [] } });
  await expectRight('a group is not reported');
  await synced.write('2026-10', rows, {
    told: { totals: [...honest, { ...honest[0]!, group: { direction: 'issued' } }], whole: [] },
  });
  await expectRight('a group contains others');
  const [first, ...others] = honest;
  const { net_amount: _, ...figures } = first!.figures;
  await synced.write('2026-10', rows, { told: { totals: [{ ...first!, figures }, ...others], whole: [] } });
  await expectRight('a figure is not reported');
});

test('while a month is written its rows are not added up: 409', async () => {
  const synced = await newScope(taxRcv);
  await synced.sync('2026-10', makeRows(taxRcv, 5));
  await synced.sync('2026-09', makeRows(taxRcv, 5, '2026-09', { direction: 'issued', folio: '99' }));
  await markDirty(synced.address, '2026-10', synced.lease);
  const { status, body } = await ask(synced);
  expect([status, body.error.code]).toEqual([409, 'connection_sync_in_progress']);
  expect((await ask(synced, 'period=2026-09')).status).toBe(200);
});

describe('limits', () => {
  const refused = async (synced: SyncedScope, query: string): Promise<string> => {
    const { status, body } = await ask(synced, query);
    expect([status, body.error.code]).toEqual([400, 'validation_error']);
    return body.error.message;
  };

  test('37 months are too many, 36 are not', async () => {
    const synced = await newScope(taxRcv);
    const months = Array.from(
      { length: 37 },
      (_, n) => `${2020 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}`,
    );
    for (const [n, period] of months.entries())
      await synced.sync(period, [{ ...makeRows(taxRcv, 1, period)[0], folio: String(n), issued_at: `${period}-05` }]);
    expect(await refused(synced, '')).toBe('the totals need 37 months, more than 36: narrow them by period, from, to');
    expect((await ask(synced, 'from=2020-02-01')).body.data.rows).toBe(36);
  });

  test('20,001 rows are too many; a narrower filter, and a search that finds few of them, are not', async () => {
    const synced = await newScope(taxRcv);
    const rows = makeRows(taxRcv, 20_001, '2026-10', { direction: 'issued', estado: 'registro', total_amount: '1' });
    const dated = rows.map((row, n) => ({
      ...row,
      issued_at: n === 0 ? '2026-10-01' : '2026-10-02',
      document_type: n < 9 ? '34' : '33',
    }));
    await synced.sync('2026-10', dated);
    const message =
      'the totals need 20001 rows, more than 20000: narrow them by period, direction, estado, document_type, from, to';
    expect(await refused(synced, '')).toBe(message);
    expect(await refused(synced, 'document_type=33')).toBe(message);
    expect((await ask(synced, 'from=2026-10-02')).body.data).toMatchObject({ rows: 20_000, groups: [{}, {}] });
    expect((await ask(synced, 'document_type=34')).body.data.groups).toMatchObject([
      { rows: 9, sums: { total_amount: '9' } },
    ]);
    expect((await ask(synced, 'q=20001')).body.data.rows).toBe(1);
  }, 120_000);
});
