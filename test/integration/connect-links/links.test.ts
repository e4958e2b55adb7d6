/** Connect links over their endpoints, with the real engine and a simulated institution. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { CONNECT_LINK_LIMITS } from '#shared/connect-links/limits.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { keys } from '#shared/table/keys.ts';
import { linkKeys } from '#shared/table/link-keys.ts';
import * as table from '#shared/table/table.ts';
import { callOperation, linkApi, linkPage, signFor } from '#test/helpers/link-api.ts';
import { connectByLink, type LinkStage, useLinkStage } from '#test/helpers/link-stage.ts';

const HOUR_MS = 3_600_000;

let stage: LinkStage;
let { world, story, wrong, organizationId, api } = {} as LinkStage;
useLinkStage((made) => {
  stage = made;
  ({ world, story, wrong, organizationId, api } = made);
});

const working = () => story.entry.credentials;

test('a customer connects: the connection is made with the first credentials and the link is used once accepted', async () => {
  const link = await api.make({ metadata: { reference: 'cliente-1' }, return_url: 'https://erp.example/listo?a=1' });
  const page = linkPage();
  expect((await page.open(link.token)).body.data).toMatchObject({ link_id: link.id, state: 'asked', tries_left: 5 });
  expect((await page.submit(working())).status).toBe(202);
  expect((await page.show()).body.data).toMatchObject({ state: 'checking', tries_left: 4 });
  await world.drain();
  expect((await page.show()).body.data).toMatchObject({
    state: 'accepted',
    return_url: 'https://erp.example/listo?a=1',
  });
  const [connection, ...others] = await connections.list(organizationId);
  expect(others).toEqual([]);
  expect(connection).toMatchObject({
    metadata: { reference: 'cliente-1' },
    createdBy: { kind: 'connect_link', id: link.id },
    enabledScopes: ['rcv'],
  });
  expect((await api.get(link.id)).body.data).toMatchObject({ status: 'used', connection_id: connection!.id });
  expect((await linkPage().open(link.token)).status).toBe(410);
});

test('a refused password leaves the link open for another', async () => {
  world.answerFor(organizationId, wrong);
  const link = await api.make();
  const page = linkPage();
  await page.open(link.token);
  await page.submit(wrong.entry.credentials);
  await world.drain();
  expect((await page.show()).body.data).toMatchObject({ state: 'refused', error_code: 'source.invalid_credentials' });
  expect((await api.get(link.id)).body.data).toMatchObject({ status: 'open' });
  world.answerFor(organizationId, story);
  expect((await page.submit(working())).status).toBe(202);
  await world.drain();
  expect((await page.show()).body.data.state).toBe('accepted');
  expect(await connections.list(organizationId)).toHaveLength(1);
});

test('the list shows a used link although the customer closed the page', async () => {
  const link = await api.make();
  const page = linkPage();
  await page.open(link.token);
  await page.submit(working());
  await page.close();
  expect((await page.show()).status).toBe(410);
  await world.drain();
  expect((await api.list()).body.data).toMatchObject([{ id: link.id, status: 'used' }]);
});

test('a standing link makes one connection for each signed reference', async () => {
  const expires_at = new Date(world.nowMs() + 24 * HOUR_MS).toISOString();
  const link = await api.make({ kind: 'standing', connections_max: 2, expires_at });
  const signed = (reference: string) => signFor(link, reference, world.nowMs() + HOUR_MS);
  for (const reference of ['a', 'b']) {
    const page = linkPage();
    expect((await page.open(link.token, signed(reference))).status).toBe(200);
    expect((await page.submit(working())).status).toBe(202);
    await world.drain();
    expect((await page.show()).body.data.state).toBe('accepted');
    expect((await linkPage().open(link.token, signed(reference))).status).toBe(410);
  }
  expect((await linkPage().open(link.token, signed('c'))).status).toBe(410);
  expect((await linkPage().open(link.token)).status).toBe(410);
  const made = await connections.list(organizationId);
  expect(made.map(({ metadata }) => metadata.reference).sort()).toEqual(['a', 'b']);
  expect((await api.get(link.id)).body.data).toMatchObject({ status: 'open', connections_made: 2 });
});

test('an organization has at most 1,000 open links; one that ended makes room', async () => {
  const first = await api.make();
  await api.make();
  const max = CONNECT_LINK_LIMITS.openLinksPerOrganizationMax;
  const count = { ...linkKeys.openLinkCount(organizationId), count: max };
  await table.put(count);
  // The number was wrong, as after links that expired: it is counted again before a link is refused.
  expect((await api.create()).status).toBe(201);
  expect((await table.get(linkKeys.openLinkCount(organizationId)))?.count).toBe(3);
  for (let n = 3; n < max; n++) {
    const id = randomUUID();
    await table.put({
      ...(await table.get(linkKeys.connectLink(organizationId, first.id)))!,
      ...linkKeys.connectLink(organizationId, id),
      id,
    });
  }
  await table.put(count);
  expect((await api.create()).body.error.code).toBe('connect_link_limit_reached');
  expect((await api.cancel(first.id)).body.data.status).toBe('cancelled');
  expect((await api.create()).status).toBe(201);
});

test('a link ends after 48 hours, its session after 15 minutes without a request and after 60 in all', async () => {
  const link = await api.make();
  const page = linkPage();
  await page.open(link.token);
  for (let minutes = 0; minutes < 50; minutes += 10) {
    world.advance(10 * 60_000);
    expect((await page.show()).status).toBe(200);
  }
  world.advance(11 * 60_000);
  expect((await page.show()).status).toBe(410);
  await page.open(link.token);
  world.advance(16 * 60_000);
  expect((await page.show()).status).toBe(410);
  world.advance(48 * HOUR_MS);
  expect((await page.open(link.token)).status).toBe(410);
  // The person's session ended as well.
  expect((await (await linkApi(organizationId)).get(link.id)).body.data.status).toBe('expired');
});

test('starts of syncs are counted only for credentials that are tried', async () => {
  const link = await api.make();
  const page = linkPage();
  await page.open(link.token);
  await page.submit(working());
  for (let n = 0; n < 5; n++) expect((await page.submit(working())).status).toBe(409);
  const minute = Math.floor(world.nowMs() / 60_000);
  expect((await table.get(keys.syncStarts(organizationId, minute)))?.starts).toBe(1);
});

test('that the login is connected twice is said once the institution accepted it', async () => {
  await connectByLink(stage, story);
  const link = await api.make();
  const page = linkPage();
  await page.open(link.token);
  await page.submit(working());
  expect((await page.show()).body.data).toMatchObject({ state: 'checking', is_connected_twice: false });
  await world.drain();
  expect((await page.show()).body.data).toMatchObject({ state: 'accepted', is_connected_twice: true });
});

test('100 customers connect by a standing link and a program without a session', async () => {
  const max = 100;
  const expires_at = new Date(world.nowMs() + 24 * HOUR_MS).toISOString();
  const link = await api.make({ kind: 'standing', connections_max: max, expires_at, enabled_scopes: ['guias'] });
  for (let n = 0; n < max; n++) {
    const reference = `cliente ${n}`;
    const page = linkPage();
    await page.open(link.token, signFor(link, reference, world.nowMs() + HOUR_MS));
    let answer = await page.submit(working());
    if (answer.status === 429) {
      world.advance(Number(answer.headers['retry-after']) * 1000);
      answer = await page.submit(working());
    }
    expect(answer.status).toBe(202);
  }
  const made = await connections.list(organizationId);
  expect(new Set(made.map(({ metadata }) => metadata.reference)).size).toBe(max);
  const { body } = await callOperation('list-connections', {
    ...(await linkApi(organizationId)).who,
    query: 'reference=cliente%2042',
  });
  expect(body.data).toHaveLength(1);
  world.messages.length = 0;
});

test('keys read links, and make and cancel none', async () => {
  const link = await api.make();
  const { callersOf } = await import('#test/helpers/callers.ts');
  const callers = await callersOf(organizationId);
  const ask = (operation: string, who: object) =>
    callOperation(operation, {
      ...who,
      params: { id: link.id },
      ...(operation === 'create-connect-link' ? { body: {} } : {}),
    });
  for (const operation of ['list-connect-links', 'get-connect-link']) {
    expect((await ask(operation, callers.key)).status).toBe(200);
    expect((await ask(operation, callers['access-token'])).status).toBe(403);
  }
  for (const operation of ['create-connect-link', 'cancel-connect-link'])
    expect((await ask(operation, callers.key)).status).toBe(403);
});
