/**
 * A page of another host of the same domain sets session cookies for the whole domain. Chromium stores and orders the
 * cookies; the handlers of the API answer over https.
 */
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { handler as close } from '#functions/api/session/close-session/handler.ts';
import { handler as open } from '#functions/api/session/open-session/handler.ts';
import { handler as show } from '#functions/api/session/show-session/handler.ts';
import { type QuickTable, startQuickTable } from '#test/fakes/quick-table.ts';
import { answered, eventOf } from '#test/helpers/http.ts';
import { sessionToken, useSharedSecretIssuer } from '#test/helpers/sessions.ts';
import { selfSigned } from '../integration/webhooks/certificate.ts';
import { CHROMIUM, CHROMIUM_ARGUMENTS } from './chromium.ts';

const [APP, BLOG] = ['app.example.test', 'blog.example.test'];
const [VICTIM, ATTACKER] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
const HANDLERS: Readonly<Record<string, typeof show>> = { GET: show, PUT: open, DELETE: close };

/** Opening and closing a session leave an event. */
let table: QuickTable;
let browser: Browser;
let server: Server;
let context: BrowserContext;
let port = 0;
/** Cookies that the blog sets on its next page. */
let planted: string[] = [];

const startServer = async (): Promise<void> => {
  server = createServer(selfSigned(APP, BLOG), async (request, response) => {
    const { headers, method = '', url = '' } = request;
    if (!url.startsWith('/session') || headers.host?.startsWith(BLOG)) {
      response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': planted }).end('<title>page</title>');
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const { cookie, ...rest } = headers as Record<string, string>;
    const event = eventOf({
      method,
      path: '/session',
      headers: rest,
      cookies: cookie === undefined ? [] : cookie.split('; '),
      ...(body === '' ? {} : { body }),
    });
    const answer = await answered(HANDLERS[method]!, event);
    response.writeHead(answer.status, answer.headers).end(answer.text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
};

/** Runs one request in the page of the dashboard. */
const ask = async (method: string, body?: object): Promise<{ status: number; organization?: string }> => {
  const page = await context.newPage();
  await page.goto(`https://${APP}:${port}/`);
  const sent = { method, ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }) };
  const answer = (await page.evaluate(
    `fetch('/session', ${JSON.stringify(sent)}).then(async (r) => ({ status: r.status, text: await r.text() }))`,
  )) as { status: number; text: string };
  await page.close();
  return { status: answer.status, organization: answer.text && JSON.parse(answer.text).data?.organization_id };
};

const signIn = async (organizationId: string) =>
  ask('PUT', { access_token: await sessionToken({ organizationId, expiresIn: 3_600 }) });

const visitBlog = async (value: string): Promise<void> => {
  planted = ['/', '/session'].map(
    (path) => `sb-access-token=${value}; Domain=example.test; Path=${path}; Max-Age=31536000; Secure`,
  );
  // A host can neither set the prefix for its domain nor for another host.
  planted.push(`__Host-sb-access-token=${value}; Domain=example.test; Path=/; Secure`);
  const page = await context.newPage();
  await page.goto(`https://${BLOG}:${port}/`);
  await page.close();
};

describe.runIf(CHROMIUM !== null)('a session planted by another host of the domain', () => {
  beforeAll(async () => {
    table = startQuickTable();
    await startServer();
    const args = [...CHROMIUM_ARGUMENTS, `--host-resolver-rules=MAP *.example.test 127.0.0.1`];
    browser = await chromium.launch({ executablePath: CHROMIUM!, args });
  });
  beforeEach(async () => {
    useSharedSecretIssuer();
    process.env.PUBLIC_ORIGINS = `https://${APP}:${port}`;
    context = await browser.newContext({ ignoreHTTPSErrors: true });
  });
  afterEach(() => context.close());
  afterAll(async () => {
    await browser.close();
    await table.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test('moves nobody who is signed in, and locks nobody out', async () => {
    for (const value of [await sessionToken({ organizationId: ATTACKER }), 'junk']) {
      expect((await signIn(VICTIM)).status).toBe(200);
      await visitBlog(value);
      expect((await context.cookies(`https://${APP}:${port}/session`)).map(({ name }) => name)).toContain(
        'sb-access-token',
      );
      expect(await ask('GET')).toEqual({ status: 200, organization: VICTIM });
    }
  });

  test('signs nobody in again after a sign-out, and signing in helps', async () => {
    await signIn(VICTIM);
    await visitBlog(await sessionToken({ organizationId: ATTACKER }));
    expect((await ask('DELETE')).status).toBe(204);
    expect((await ask('GET')).status).toBe(401);
    await signIn(VICTIM);
    expect(await ask('GET')).toEqual({ status: 200, organization: VICTIM });
  });

  test('is the one that a browser shows which never signed in here: the page names its organization', async () => {
    await visitBlog(await sessionToken({ organizationId: ATTACKER }));
    expect(await ask('GET')).toEqual({ status: 200, organization: ATTACKER });
    await signIn(VICTIM);
    expect(await ask('GET')).toEqual({ status: 200, organization: VICTIM });
  });
});
