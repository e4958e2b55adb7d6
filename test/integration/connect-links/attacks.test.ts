/** Attacks on connect links, each by its name. Framing is also refused by the headers of the page (test/infra). */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { contentSecurityPolicy, PAGE_HEADERS } from '#infra/web/page-headers.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { callersOf } from '#test/helpers/callers.ts';
import type { Answered } from '#test/helpers/http.ts';
import { callOperation, linkApi, linkPage, type MadeLink, OWN_PAGE, signFor } from '#test/helpers/link-api.ts';
import { type LinkStage, useLinkStage } from '#test/helpers/link-stage.ts';

const DAY_SECONDS = 86_400;

let { world, story, organizationId, api } = {} as LinkStage;
useLinkStage((stage) => {
  ({ world, story, organizationId, api } = stage);
});

const ENDED = { code: 'connect_link_ended', message: 'This link does not work, or no longer. Ask for a new one.' };
/** Equal in status, body and cookie, so that nobody learns which links there are. */
const expectEnded = ({ status, body, headers }: Answered): void => {
  expect([status, body.error, headers['set-cookie']]).toEqual([410, ENDED, undefined]);
};

const standing = (changes: object = {}): Promise<MadeLink> =>
  api.make({
    kind: 'standing',
    connections_max: 5,
    expires_at: new Date(world.nowMs() + 30 * DAY_SECONDS * 1000).toISOString(),
    ...changes,
  });
const signed = (link: Pick<MadeLink, 'secret' | 'id'>, reference: string, aheadSeconds = 3_600) =>
  signFor(link, reference, world.nowMs() + aheadSeconds * 1000);

describe('the page', () => {
  test('framing: no page may show it in a frame', () => {
    expect(contentSecurityPolicy([])).toContain("frame-ancestors 'none'");
    expect(PAGE_HEADERS['x-frame-options']).toBe('DENY');
  });

  test.each(['open-connect-session', 'submit-credentials', 'close-connect-session'])(
    'posting from elsewhere: %s refuses another origin and another site',
    async (operation) => {
      const link = await api.make();
      const page = linkPage();
      await page.open(link.token);
      const bodies: Record<string, object> = {
        'open-connect-session': { token: link.token },
        'submit-credentials': { session_id: page.session, credentials: story.entry.credentials },
      };
      const body = bodies[operation];
      for (const headers of [{ origin: 'https://evil.test' }, { 'sec-fetch-site': 'cross-site' }, { origin: 'null' }]) {
        const answer = await callOperation(operation, { cookies: page.cookies, headers, ...(body ? { body } : {}) });
        expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined]);
      }
      expect((await page.show()).body.data.state).toBe('asked');
    },
  );

  test('the cookie belongs to the host, is out of reach of scripts, and is sent by no foreign page', async () => {
    const answer = await linkPage().open((await api.make()).token);
    expect(answer.headers['set-cookie']).toMatch(
      /^__Host-connect=[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
  });

  test('swapped return address: it comes from the link, and is https', async () => {
    const link = await api.make({ return_url: 'https://erp.example/listo' });
    const unknown = await linkPage().open(link.token, { return_url: 'https://evil.test/' });
    expect(unknown.status).toBe(422);
    expect((await linkPage().open(link.token)).body.data.return_url).toBe('https://erp.example/listo');
    for (const return_url of ['http://erp.example/', 'javascript:alert(1)', 'https://a@evil.test/', 'https://x/#a'])
      expect((await api.create({ ...link.data, ...{ kind: 'single', asked_by: 'x', return_url } })).status).toBe(422);
  });
});

describe('the session', () => {
  test('fixed session: a cookie that another page planted is replaced', async () => {
    const link = await api.make();
    const page = linkPage();
    page.cookies = [`__Host-connect=${'A'.repeat(43)}`];
    await page.open(link.token);
    expect(page.cookies[0]).not.toContain('AAAA');
    const planted = linkPage();
    planted.cookies = [`__Host-connect=${'A'.repeat(43)}`];
    expectEnded(await planted.show());
    planted.cookies = ['__Host-connect=a; __Host-connect=b'];
    expectEnded(await planted.show());
  });

  test('second tab: the newer session ends the older one', async () => {
    const link = await api.make();
    const [first, second] = [linkPage(), linkPage()];
    await first.open(link.token);
    await second.open(link.token);
    expectEnded(await first.show());
    expectEnded(await first.submit(story.entry.credentials));
    expect((await second.show()).status).toBe(200);
    expect(await connections.list(organizationId)).toEqual([]);
  });

  test('another link opened in the same browser: what was typed for one never reaches the other', async () => {
    const other = await linkApi(randomUUID());
    const [link, foreign] = [await api.make(), await other.make()];
    const page = linkPage();
    await page.open(link.token);
    const shown = page.session;
    // A popup of the attacker opens the attacker's link, which replaces the one cookie of the browser.
    await page.open(foreign.token);
    page.session = shown;
    expectEnded(await page.submit(story.entry.credentials));
    // A link that opens nothing does not end the session.
    await page.open(link.token);
    await page.open(`svc_cl_${'A'.repeat(43)}`);
    expect((await page.submit(story.entry.credentials)).status).toBe(202);
  });

  test('it reads no data and makes nothing else', async () => {
    const link = await api.make();
    const page = linkPage();
    await page.open(link.token);
    await page.submit(story.entry.credentials);
    const { id } = (await connections.list(organizationId))[0]!;
    const who = { cookies: page.cookies, headers: OWN_PAGE, params: { id } };
    for (const operation of ['list-connections', 'get-connection', 'list-tax-rcv-documents', 'list-connect-links'])
      expect((await callOperation(operation, who)).status).toBe(401);
    for (const operation of ['update-connection', 'start-sync', 'create-connect-link', 'create-api-key'])
      expect((await callOperation(operation, { ...who, body: {} })).status).toBe(401);
    const shown = (await page.show()).text;
    for (const secret of [id, organizationId]) expect(shown).not.toContain(secret);
  });
});

describe('the token', () => {
  test('guessed and replayed: an unknown, expired, used and cancelled token get one answer', async () => {
    const [used, cancelled, expired] = [await api.make(), await api.make(), await api.make()];
    const page = linkPage();
    await page.open(used.token);
    await page.submit(story.entry.credentials);
    await world.drain();
    await api.cancel(cancelled.id);
    const answers = [
      await linkPage().open(used.token),
      await linkPage().open(cancelled.token),
      await linkPage().open(`svc_cl_${'A'.repeat(43)}`),
      await linkPage().open('x'),
      await linkPage().show(),
      await linkPage().submit({}),
    ];
    world.advance(49 * 3_600_000);
    answers.push(await linkPage().open(expired.token));
    for (const answer of answers) expectEnded(answer);
  });

  test('link used after cancel: an open session ends with it', async () => {
    const link = await api.make();
    const page = linkPage();
    await page.open(link.token);
    await api.cancel(link.id);
    expectEnded(await page.submit(story.entry.credentials));
    expect(await connections.list(organizationId)).toEqual([]);
  });

  test('an old address from the browser’s history opens nothing once the link is used', async () => {
    const link = await api.make();
    const page = linkPage();
    await page.open(link.token);
    await page.submit(story.entry.credentials);
    await world.drain();
    expect((await page.show()).body.data.state).toBe('accepted');
    expectEnded(await linkPage().open(link.token));
    expectEnded(await page.submit(story.entry.credentials));
  });

  test('a stored table gives no link away: token and cookie are hashes, the secret is encrypted', async () => {
    const link = await standing();
    const page = linkPage();
    await page.open(link.token, signed(link, 'a'));
    await page.submit(story.entry.credentials);
    const stored = await world.tableText();
    const { password } = story.entry.credentials;
    for (const text of [link.token, link.secret, page.cookies[0]!.split('=')[1]!, password!])
      expect(stored).not.toContain(text);
  });
});

describe('the signed reference', () => {
  test('altered reference, longer expiry, other signature', async () => {
    const link = await standing();
    const good = signed(link, 'cliente-1');
    expectEnded(await linkPage().open(link.token, { ...good, reference: 'cliente-2' }));
    expectEnded(await linkPage().open(link.token, { ...good, reference: ' cliente-1' }));
    expectEnded(await linkPage().open(link.token, { ...good, expires: String(Number(good.expires) + 1) }));
    expectEnded(await linkPage().open(link.token, { ...good, signature: good.signature.toUpperCase() }));
    expectEnded(await linkPage().open(link.token, { ...good, signature: '' }));
    expectEnded(await linkPage().open(link.token, signed(link, 'cliente-1', 7 * DAY_SECONDS + 60)));
    expectEnded(await linkPage().open(link.token, signed(link, 'cliente-1', -1)));
    expect((await linkPage().open(link.token, good)).status).toBe(200);
  });

  test('another link’s signature', async () => {
    const [one, other] = [await standing(), await standing()];
    expectEnded(await linkPage().open(one.token, signed(other, 'a')));
    expectEnded(await linkPage().open(one.token, signed({ id: one.id, secret: other.secret }, 'a')));
    expectEnded(await linkPage().open(one.token, signed({ id: other.id, secret: one.secret }, 'a')));
  });

  test('one reference twice at once makes one connection', async () => {
    const link = await standing();
    const page = linkPage();
    await page.open(link.token, signed(link, 'a'));
    const answers = await Promise.all([1, 2, 3].map(() => page.submit(story.entry.credentials)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
    expect(await connections.list(organizationId)).toHaveLength(1);
  });

  test('more customers than the link allows', async () => {
    const link = await standing({ connections_max: 1 });
    const [first, second] = [linkPage(), linkPage()];
    await first.open(link.token, signed(link, 'a'));
    await second.open(link.token, signed(link, 'b'));
    const answers = await Promise.all([first, second].map((page) => page.submit(story.entry.credentials)));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(await connections.list(organizationId)).toHaveLength(1);
  });
});

describe('another organization', () => {
  test('its credentials: a key, a session and a link of it see and end no link', async () => {
    const link = await api.make();
    const foreign = await callersOf(randomUUID());
    for (const who of [foreign.key, foreign.session])
      expect((await callOperation('get-connect-link', { ...who, params: { id: link.id } })).status).toBe(404);
    const ended = await callOperation('cancel-connect-link', { ...foreign.session, params: { id: link.id } });
    expect(ended.status).toBe(404);
    expect((await linkPage().open(link.token)).status).toBe(200);
  });

  test('its connection is repaired by no link', async () => {
    const other = await linkApi(randomUUID());
    const link = await api.make();
    const page = linkPage();
    await page.open(link.token);
    await page.submit(story.entry.credentials);
    const { id } = (await connections.list(organizationId))[0]!;
    const answer = await other.create({ kind: 'repair', asked_by: 'x', connection_id: id });
    expect([answer.status, answer.body.error.code]).toEqual([404, 'connection_not_found']);
  });
});

test('a customer who tries too often ends the session’s tries', async () => {
  const link = await api.make();
  const page = linkPage();
  await page.open(link.token);
  for (let tries = 0; tries < 5; tries++) {
    const { status } = await page.submit({ rut: '76.192.083-9', password: `wrong-${tries}` });
    expect(status).toBe(202);
    await world.drain();
  }
  expectEnded(await page.submit({ rut: '76.192.083-9', password: 'once more' }));
});
