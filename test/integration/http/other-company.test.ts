/** A connection with rows keeps its company: credentials of another one would mix the rows of two companies. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
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

/** Creates a connection; with rows, one whose scope was synchronized. */
const connect = async (credentials: object, changes: object, hasRows: boolean): Promise<string> => {
  const { status, body } = await api.create(newConnection({ credentials, ...changes }));
  expect([status, body.error]).toEqual([201, undefined]);
  if (hasRows)
    await table.update(keys.connection(organizationId, body.id), { add: { synced_scopes: new Set(['rcv']) } });
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
])('are refused: %s, and the former credentials stay', async (_, changes, own, other) => {
  const id = await connect(own, changes, true);
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
  expect(await answerTo(await connect(own, changes, true), other)).toEqual(TAKEN);
});

test('are taken while no scope was ever synchronized, and count from then on', async () => {
  const id = await connect(tax(PERSON), {}, false);
  expect(await answerTo(id, tax(OTHER))).toEqual(TAKEN);
  await table.update(keys.connection(organizationId, id), { add: { synced_scopes: new Set(['rcv']) } });
  expect(await answerTo(id, tax(PERSON))).toEqual(REFUSED);
  expect(await answerTo(id, tax(OTHER))).toEqual(TAKEN);
});

test('are refused while a sync is open, which may store rows of the former company', async () => {
  const id = await connect(tax(PERSON), {}, false);
  const open = (runs: object) => table.update(keys.connection(organizationId, id), runs);
  await open({ add: { open_runs: new Set(['a', 'b']) } });
  expect(await answerTo(id, tax(OTHER))).toEqual([409, 'connection_sync_in_progress']);
  expect(await answerTo(id, { rut: PERSON, password: 'new' })).toEqual(TAKEN);
  await open({ take: { open_runs: new Set(['b', 'a']) } });
  expect(await answerTo(id, tax(OTHER))).toEqual(TAKEN);
});

test.each([
  ['begins', { add: { open_runs: new Set(['a']) } }],
  ['ends', { add: { coverage_revision: 1 } }],
])('are judged again if a sync %s after they were judged', async (_, change) => {
  const id = await connect(tax(PERSON), {}, false);
  const judged = await connections.find(organizationId as OrganizationId, id as ConnectionId);
  await table.update(keys.connection(organizationId, id), change);
  const ciphertext = new Uint8Array([1]);
  const credentials = { ciphertext, expectedVersion: 1, accountKey: judged!.accountKey };
  const written = connections.change(judged!, { credentials }, BY_SERVICE);
  await expect(written).rejects.toThrow(connections.ConnectionConflict);
});

test('are taken for an older connection, whose company is not known before its next run', async () => {
  const id = await connect(tax(PERSON), {}, true);
  await table.update(keys.connection(organizationId, id), { remove: ['account_key'] });
  expect(await answerTo(id, tax(OTHER))).toEqual(TAKEN);
});
