/** Counts what totals read: a whole month whose totals are stored costs its index, and no row. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { facetCombinations } from '#shared/rows/item/facets.ts';
import { type SummedScope, scopeId } from '#shared/scopes/scope.ts';
import { taxGuias } from '#shared/scopes/tax-guias.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { tableCallsOf } from '#test/bench/table-calls.ts';
import { bearer, type Credential, keyOf } from '#test/helpers/callers.ts';
import { startTable, type TestTable } from '#test/helpers/dynamo.ts';
import type { Answered } from '#test/helpers/http.ts';
import { askTotals, expectTotals } from '#test/helpers/list-totals.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { expectedRows } from '#test/helpers/read-model.ts';
import { PERIODS, ROW_MAKERS } from '#test/helpers/scope-rows.ts';
import { storeConnection } from '#test/helpers/stored-connection.ts';
import { newSyncedScope, type SyncedScope } from '#test/helpers/synced-scope.ts';
import { honestTotals } from '#test/helpers/tie-out.ts';

const ORGANIZATION = randomUUID();
const ROWS = 200;

let server: TestTable;
let caller: Credential;
beforeAll(async () => {
  server = await startTable();
  caller = bearer((await keyOf(ORGANIZATION)).token);
});
afterAll(() => server.stop());

/** Three months. The first rows of each are of the 6th, the others of the 5th. */
const newTold = async (scope: SummedScope): Promise<SyncedScope> => {
  const connectionId = await storeConnection(ORGANIZATION, scope.source);
  const synced = await newSyncedScope(scope, { organizationId: ORGANIZATION, connectionId });
  for (const period of PERIODS) {
    const rows = Array.from({ length: ROWS }, (_, n) => ({
      ...ROW_MAKERS[scopeId(scope)]!(randomFrom(n), period, n + 1),
      folio: `${period.slice(5)}${n}`,
      issued_at: `${period}-${n < 9 ? '06' : '05'}`,
    }));
    await synced.write(period, rows, { told: { totals: honestTotals(scope, rows), whole: [] } });
  }
  return synced;
};

describe.each([taxRcv, taxGuias].map((scope): [string, SummedScope] => [scopeId(scope), scope]))('%s', (_, scope) => {
  let synced: SyncedScope;
  beforeAll(async () => {
    synced = await newTold(scope);
    // The first use of a credential is stored.
    await askTotals(caller, scope, synced.address.connectionId);
  });

  const readsOf = async (query: string) => {
    const answers: Answered[] = [];
    const { reads, readUnits } = await tableCallsOf(async () => {
      answers.push(await askTotals(caller, scope, synced.address.connectionId, query));
    });
    const { period, from, to, q, ...fields } = Object.fromEntries(new URLSearchParams(query));
    const rows = expectedRows(synced.model.values(), { period, from, to, q, fields }).map(({ row }) => row);
    expect(rows.length).toBeGreaterThan(0);
    expectTotals(answers[0]!, scope, rows, query);
    return { queries: reads.filter(({ what }) => what.startsWith('Query')).length, readUnits };
  };

  const whole = ['', 'period=2026-10', 'direction=issued', 'from=2026-10-01&to=2026-11-30', 'from=2026-09-05'];
  test.each(scope === taxRcv ? [...whole, 'document_type=33&estado=registro'] : whole)(
    'whole months read no row: %s',
    async (query) => {
      const { queries, readUnits } = await readsOf(query);
      expect(queries).toBe(0);
      // Credential, connection and summary, and each month's index.
      expect(readUnits).toBeLessThanOrEqual(8);
    },
  );

  test('only the rows of a month that the days cut are read', async () => {
    const { queries, readUnits } = await readsOf('from=2026-09-01&to=2026-11-05');
    expect(queries).toBeGreaterThan(0);
    expect(queries).toBeLessThanOrEqual(facetCombinations(scope.facets).length);
    expect(readUnits).toBeLessThanOrEqual(60);
  });

  test('a search reads the rows that it finds', async () => {
    const { queries, readUnits } = await readsOf('q=11139');
    expect(queries).toBe(0);
    expect(readUnits).toBeLessThanOrEqual(20);
  });
});
