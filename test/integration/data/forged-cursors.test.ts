/** Cursors that a client forged from a real one: refused as the caller's mistake, never an internal error. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contract as listChanges } from '#functions/api/connections/list-changes/contract.ts';
import { handler as changes } from '#functions/api/connections/list-changes/handler.ts';
import { contract as listTenderChanges } from '#functions/api/procurement/list-tender-changes/contract.ts';
import { handler as tenderChanges } from '#functions/api/procurement/list-tender-changes/handler.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { cursorParts, cursorText } from '#shared/values/cursor-text.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { type Credential, callersOf } from '#test/helpers/callers.ts';
import { call } from '#test/helpers/http.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { ROW_MAKERS } from '#test/helpers/scope-rows.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';
import { storeConnection } from '#test/helpers/stored-connection.ts';
import { newSyncedScope } from '#test/helpers/synced-scope.ts';

const ORGANIZATION = randomUUID();
const PERIOD = '2026-10';
const REFUSED = [400, 'validation_error'];

let server: EngineTable;
let caller: Credential;
beforeAll(async () => {
  server = await startEngineTable();
  useSharedSecretIssuer();
  caller = (await callersOf(ORGANIZATION)).key;
});
afterAll(() => server.stop());

/** A cursor whose last part is changed. */
const forged = (cursor: string, change: (last: never) => unknown): string => {
  const parts = cursorParts(cursor) as unknown[];
  parts.push(change(parts.pop() as never));
  return cursorText(parts);
};

/** Start of the first round's removals. */
const firstRemoval = keys.tombstones({ organizationId: '', connectionId: '', scope: '' } as never, 1).from;
/** More bytes than characters. */
const longAfter = (place: string): string => place + '\u20ac'.repeat(350);

test.each([
  ['of a round that ends before it begins', (upTo: number) => [upTo, upTo - 1, 'd', null]],
  ['of a round without a change', (upTo: number) => [upTo, upTo, 'd', null]],
  ['of rows in a round that ends before it begins', (upTo: number) => [upTo, 1, 'r', null]],
  ['that goes on before the first removal', (upTo: number) => [0, upTo, 'd', '']],
  ['that goes on at an item of another kind', (upTo: number) => [0, upTo, 'd', 'ACCOUNTS']],
  ['that goes on after the last removal', (upTo: number) => [0, upTo, 'd', 'GONE$']],
  // DynamoDB refuses a bound of more than 1,024 bytes (AWS's documents).
  ['that goes on after a removal of a long name', (upTo: number) => [0, upTo, 'd', longAfter(firstRemoval)]],
  ['that goes on after a row of a long name', (upTo: number) => [0, upTo, 'r', [PERIOD, '', longAfter('')]]],
  ['that goes on after a row with half a letter', (upTo: number) => [0, upTo, 'r', [PERIOD, '', '\ud800']]],
])('%s', async (_, positionOf) => {
  const connectionId = await storeConnection(ORGANIZATION, taxRcv.source);
  const synced = await newSyncedScope(taxRcv, { organizationId: ORGANIZATION, connectionId });
  await table.put({ ...keys.accounts(synced.address) });
  await synced.sync(PERIOD, [ROW_MAKERS['tax.rcv']!(randomFrom(1), PERIOD, 1)]);
  const ask = (query: string) => call(listChanges, changes, { ...caller, params: { id: connectionId }, query });
  const { body } = await ask('');
  const cursor = forged(body.feed.next_cursor, ({ rcv }: { rcv: number }) => ({ rcv: positionOf(rcv) }));
  const answer = await ask(`cursor=${cursor}`);
  expect([answer.status, answer.body.error?.code]).toEqual(REFUSED);
});

test('of tenders, after the last number there can be', async () => {
  const ask = (query: string) => call(listTenderChanges, tenderChanges, { ...caller, query });
  const { body } = await ask('');
  const answer = await ask(`cursor=${forged(body.feed.next_cursor, () => Number.MAX_SAFE_INTEGER)}`);
  expect([answer.status, answer.body.error?.code]).toEqual(REFUSED);
});
