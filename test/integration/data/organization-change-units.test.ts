/** The cost of the organization's feed, in units: a poll that finds nothing, and an announcement. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contract } from '#functions/api/connections/list-organization-changes/contract.ts';
import { handler } from '#functions/api/connections/list-organization-changes/handler.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { tableCallsOf } from '#test/bench/table-calls.ts';
import { callersOf } from '#test/helpers/callers.ts';
import { startTable, type TestTable } from '#test/helpers/dynamo.ts';
import { call } from '#test/helpers/http.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';

/** From the design of the feed. */
const IDLE_READ_UNITS_MAX = 6;
const SCOPES = 10_000;

let server: TestTable;
beforeAll(async () => {
  server = await startTable();
  useSharedSecretIssuer();
});
afterAll(() => server.stop());

test('a poll of 10,000 idle scopes is one request of at most 6 read units, for any caller', async () => {
  const organizationId = randomUUID();
  const puts = Array.from({ length: SCOPES }, (_, n) => ({
    ...keys.organizationChanges(organizationId, n % 4).entry(1 + n),
    connection_id: randomUUID(),
    scope: 'rcv',
  }));
  await table.batchWrite({ puts });
  const callers = await callersOf(organizationId);
  const ask = (cursor: string | null, caller = callers.key) =>
    call(contract, handler, { ...caller, query: `limit=200${cursor === null ? '' : `&cursor=${cursor}`}` });
  let cursor: string | null = null;
  let scopes = 0;
  for (let hasMore = true; hasMore; ) {
    const { body } = await ask(cursor);
    scopes += body.data.length;
    cursor = body.feed.next_cursor;
    hasMore = body.feed.has_more;
  }
  expect(scopes).toBe(SCOPES);
  for (const caller of Object.values(callers)) {
    // The first use of a credential in a minute is stored.
    await ask(cursor, caller);
    const { readUnits, writeUnits } = await tableCallsOf(async () => {
      expect((await ask(cursor, caller)).body.data).toEqual([]);
    });
    expect(readUnits).toBeGreaterThan(0);
    expect(readUnits).toBeLessThanOrEqual(IDLE_READ_UNITS_MAX);
    expect(writeUnits).toBe(0);
  }
});
