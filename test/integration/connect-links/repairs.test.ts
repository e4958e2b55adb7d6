/** Connect links that replace credentials: of a connection to repair, or after the institution refused the first ones. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { linkPage } from '#test/helpers/link-api.ts';
import { connectByLink, type LinkStage, useLinkStage } from '#test/helpers/link-stage.ts';

let stage: LinkStage;
let { world, story, wrong, organizationId, api } = {} as LinkStage;
useLinkStage((made) => {
  stage = made;
  ({ world, story, wrong, organizationId, api } = made);
});

const working = () => story.entry.credentials;

test('a repair takes credentials of the same login and company, and only those', async () => {
  const { connection } = await connectByLink(stage, story);
  const link = await api.make({
    kind: 'repair',
    external_source_code: undefined,
    enabled_scopes: undefined,
    connection_id: connection.id,
  });
  const page = linkPage();
  expect((await page.open(link.token)).body.data).toMatchObject({ kind: 'repair', scopes: ['rcv'], state: 'asked' });
  const { rut, password } = working();
  for (const credentials of [
    { rut: '76.192.083-9', password },
    { rut, password, company_rut: '76192083-9' },
  ]) {
    const { status, body } = await page.submit(credentials);
    expect([status, body.error.code]).toEqual([422, 'connect_link_other_login']);
  }
  // Two of five tries are used up, although the institution saw none of them.
  expect((await page.show()).body.data.tries_left).toBe(3);
  expect((await page.submit({ rut, password })).status).toBe(202);
  await world.drain();
  expect((await page.show()).body.data).toMatchObject({ state: 'accepted', is_connected_twice: false });
  expect((await api.get(link.id)).body.data).toMatchObject({ status: 'used', connection_id: connection.id });
  const [repaired, ...others] = await connections.list(organizationId);
  expect([repaired?.credentialsVersion, others]).toEqual([2, []]);
});

test('each answer about the login of a repair costs a try, also if many are sent at once', async () => {
  const { connection } = await connectByLink(stage, story);
  const link = await api.make({
    ...{ kind: 'repair', external_source_code: undefined, enabled_scopes: undefined, connection_id: connection.id },
  });
  const page = linkPage();
  await page.open(link.token);
  const guesses = ['76.192.083-9', '70000002-8', '70000010-9'].map((rut) => page.submit({ ...working(), rut }));
  const codes = (await Promise.all(guesses)).map(({ body }) => body.error.code).sort();
  expect(codes).toEqual(['connect_link_busy', 'connect_link_busy', 'connect_link_other_login']);
  expect((await page.show()).body.data.tries_left).toBe(4);
});

test('a refused link mends nothing once somebody else replaced the credentials', async () => {
  const { page, connection } = await connectByLink(stage, wrong);
  expect((await page.show()).body.data.state).toBe('refused');
  const credentials = { ciphertext: new Uint8Array([1]), expectedVersion: 1, accountKey: undefined };
  await connections.change(connection, { credentials }, BY_SERVICE);
  expect((await page.submit(working())).status).toBe(410);
});

test('a refused link takes no other company once another sync stored rows', async () => {
  const { page, connection } = await connectByLink(stage, wrong);
  await table.update(keys.connection(organizationId, connection.id), { add: { synced_scopes: new Set(['rcv']) } });
  const other = await page.submit(working());
  expect([other.status, other.body.error.code]).toEqual([422, 'connect_link_other_login']);
  expect((await connections.list(organizationId))[0]!.credentialsVersion).toBe(1);
  expect((await page.submit(wrong.entry.credentials)).status).toBe(202);
});

test('a repair names a connection of the organization whose login is known', async () => {
  const { connection } = await connectByLink(stage, story);
  const ask = (changes: object) => api.create({ kind: 'repair', asked_by: 'x', ...changes });
  expect((await ask({})).body.error.message).toBe('connection_id is required for a link of kind repair');
  expect((await ask({ connection_id: randomUUID() })).body.error.code).toBe('connection_not_found');
  expect((await ask({ connection_id: connection.id, name: 'x' })).body.error.message).toBe(
    'name does not belong to a link of kind repair',
  );
  await table.update(keys.connection(organizationId, connection.id), { remove: ['account_key'] });
  expect((await ask({ connection_id: connection.id })).status).toBe(422);
});
