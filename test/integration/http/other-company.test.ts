/** A connection with rows has the same company: credentials of another one would mix the rows of two. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import type { Change } from '#shared/table/expressions.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { callersOf } from '#test/helpers/callers.ts';
import { type ConnectionApi, connectionApi, newConnection } from '#test/helpers/connection-api.ts';
import { useKeyFile } from '#test/helpers/key-file.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';

const PERSON = '76192083-9';
const OTHER = '11111111-1';
const COMPANY = '77000002-5';

let server: EngineTable;
let keyFile: { remove(): void };
let organizationId = '';
let api: ConnectionApi;

beforeAll(async () => {
  server = await startEngineTable();
  keyFile = useKeyFile();
  useSharedSecretIssuer();
});
beforeEach(async () => {
  organizationId = randomUUID();
  api = connectionApi((await callersOf(organizationId)).session);
});
afterAll(async () => {
  keyFile.remove();
  await server.stop();
});

const tax = (rut: string, company?: string): object => ({ rut, password: 'p', company_rut: company });
const bank = { external_source_code: 'bankone', enabled_scopes: ['movements'] };
const banktwo = { external_source_code: 'banktwo', enabled_scopes: ['movements'] };
const procurement = { external_source_code: 'procurement', enabled_scopes: ['licitaciones'] };
const two = (user: string, company: string) => ({ client_id: user, client_secret: 'p', company_rut: company });

const SYNCED = { add: { synced_scopes: new Set(['rcv']) } };

/** Creates a connection and changes its stored item. */
const connect = async (credentials: object, changes: object, stored?: Change): Promise<string> => {
  const { status, body } = await api.create(newConnection({ credentials, ...changes }));
  expect([status, body.error]).toEqual([201, undefined]);
  if (stored) await table.update(keys.connection(organizationId, body.id), stored);
  return body.id;
};
const answerTo = async (id: string, credentials: object): Promise<[number, string | undefined]> => {
  const { status, body } = await api.update(id, { credentials });
  return [status, body.error?.code];
};

const REFUSED = [422, 'connection_other_company'];
const TAKEN = [200, undefined];

test.each([
  ['another company of the login', {}, tax(PERSON), tax(PERSON, COMPANY)],
  ['a login that is another company', {}, tax(PERSON), tax(OTHER)],
  ['another named company at a bank', bank, tax(PERSON, PERSON), tax(PERSON, COMPANY)],
  ['the company of another client', banktwo, two('u', COMPANY), two('v', PERSON)],
  ['the company that the bank selects, after a named one', bank, tax(PERSON, COMPANY), tax(PERSON)],
])('are refused: %s, and the former credentials stay', async (_, changes, own, other) => {
  const id = await connect(own, changes, SYNCED);
  const before = await table.get(keys.connection(organizationId, id));
  expect(await answerTo(id, other)).toEqual(REFUSED);
  expect(await table.get(keys.connection(organizationId, id))).toEqual(before);
  // Another name in the same request is not stored either.
  expect((await api.update(id, { credentials: other, name: 'B' })).status).toBe(422);
  expect((await api.get(id)).body.data.name).not.toBe('B');
});

test.each([
  ['a new password', {}, tax(PERSON), { rut: PERSON, password: 'new' }],
  ['the company by its name', {}, tax(PERSON), tax(PERSON, '76.192.083-9')],
  ['another person of the company', {}, tax(PERSON), tax(OTHER, PERSON)],
  ['a name for the company that the bank selected', bank, tax(PERSON), tax(PERSON, COMPANY)],
  ['another ticket', procurement, { ticket: 'A' }, { ticket: 'B' }],
])('are taken: %s', async (_, changes, own, other) => {
  expect(await answerTo(await connect(own, changes, SYNCED), other)).toEqual(TAKEN);
});

test('are taken while nothing was stored, and count from then on', async () => {
  const id = await connect(tax(PERSON), {}, { set: { last_sync_status: 'failed' } });
  expect(await answerTo(id, tax(OTHER))).toEqual(TAKEN);
  await table.update(keys.connection(organizationId, id), SYNCED);
  expect(await answerTo(id, tax(PERSON))).toEqual(REFUSED);
  expect(await answerTo(id, tax(OTHER))).toEqual(TAKEN);
});

test.each([
  ['a sync is open', { add: { open_runs: new Set(['a', 'b']) } }],
  ['the latest sync was cancelled', { set: { last_sync_status: 'cancelled' } }],
])('are refused while %s, whose worker may store rows', async (_, stored) => {
  const id = await connect(tax(PERSON), {}, stored);
  expect(await answerTo(id, tax(OTHER))).toEqual(REFUSED);
  expect(await answerTo(id, { rut: PERSON, password: 'new' })).toEqual(TAKEN);
});

test.each(['rcv', 'guias'])('are refused for a month of %s that a failed sync left half written', async (scope) => {
  const id = await connect(tax(PERSON), {}, { set: { last_sync_status: 'failed' } });
  const address = { organizationId: organizationId as OrganizationId, connectionId: id as ConnectionId, scope };
  await table.update(keys.period(address, '2026-10'), { set: { dirty: true } });
  expect(await answerTo(id, tax(OTHER))).toEqual(REFUSED);
});

test.each([
  ['begins', { add: { open_runs: new Set(['a']) } }],
  ['ends', { add: { coverage_revision: 1 } }],
])('are judged again if a sync %s after they were judged', async (_, change) => {
  const id = await connect(tax(PERSON), {});
  const judged = await connections.find(organizationId as OrganizationId, id as ConnectionId);
  await table.update(keys.connection(organizationId, id), change);
  const ciphertext = new Uint8Array([1]);
  const credentials = { ciphertext, expectedVersion: 1, accountKey: judged!.accountKey };
  const written = connections.change(judged!, { credentials }, BY_SERVICE);
  await expect(written).rejects.toThrow(connections.ConnectionConflict);
});

test('are taken for an older connection, whose company is not known before its next run', async () => {
  const id = await connect(tax(PERSON), {}, SYNCED);
  await table.update(keys.connection(organizationId, id), { remove: ['account_key'] });
  expect(await answerTo(id, tax(OTHER))).toEqual(TAKEN);
});
