/** The dashboard at `/` of the local stack: which paths belong to the page, and which headers come with it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWebPage } from '#tools/local/web-page.ts';

const HTML = { accept: 'text/html,application/xhtml+xml' };
const OF_THE_API = 418;

/** Resolves when the page is built. */
let built = Promise.resolve();
let server: Server;
let parent: string;
let url: string;

beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'web-page-'));
  const folder = join(parent, 'dashboard');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  mkdirSync(join(folder, '.vite'));
  writeFileSync(join(parent, 'secret.json'), '{}');
  writeFileSync(join(folder, '.vite/manifest.json'), '{}');
  writeFileSync(join(folder, 'index.html'), '<!doctype html>the page');
  writeFileSync(join(folder, 'assets/index-1.js'), 'run()');
  const page = createWebPage(folder, () => built);
  server = createServer(async (request, response) => {
    // As in the HTTP API: routes use the decoded path, the page uses the path as received.
    if (await page(request, response, (request.url ?? '/').split('?')[0]!)) return;
    response.writeHead(OF_THE_API).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(parent, { recursive: true });
});

test.each(['/', '/connections', '/data/x/y?offset=50'])('%s is the page, requested every time', async (path) => {
  const response = await fetch(url + path, { headers: HTML });
  expect([response.status, await response.text()]).toEqual([200, '<!doctype html>the page']);
  expect(response.headers.get('cache-control')).toBe('no-cache');
  const policy = response.headers.get('content-security-policy')!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'self';");
  expect(policy).not.toContain('unsafe');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
  expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin');
  expect(response.headers.get('permissions-policy')).toContain('geolocation=()');
});

test('a page that is being built is served when it is built', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  built = promise;
  let isAnswered = false;
  const answer = fetch(url, { headers: HTML }).then((response) => {
    isAnswered = true;
    return response.status;
  });
  expect((await fetch(`${url}/config.json`)).status).toBe(200);
  expect(isAnswered).toBe(false);
  resolve();
  expect(await answer).toBe(200);
});

test.each(['*/*', 'application/json'])(
  '/authorize is the page to a client that looks with accept: %s',
  async (accept) => {
    const response = await fetch(`${url}/authorize?client_id=x`, { headers: { accept } });
    expect([response.status, await response.text()]).toEqual([200, '<!doctype html>the page']);
  },
);

test('a file named after its content is asked for once', async () => {
  const response = await fetch(`${url}/assets/index-1.js`);
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(response.headers.get('cache-control')).toContain('immutable');
});

test('says how to sign in here', async () => {
  expect(await (await fetch(`${url}/config.json`)).json()).toEqual({ sign_in: { kind: 'development' } });
});

test.each([
  ['GET', '/api/connections', HTML],
  ['GET', '/api', HTML],
  ['GET', '/docs', HTML],
  ['GET', '/_local/inbox', HTML],
  ['POST', '/connections', HTML],
  ['PUT', '/session', {}],
  // A script that mistypes a path expects the API's 404.
  ['GET', '/connections', { accept: 'application/json' }],
  ['GET', '/assets/gone-1.js', HTML],
  ['GET', '/.vite/manifest.json', HTML],
  ['GET', '/..%2fsecret.json', HTML],
])('%s %s does not belong to the page', async (method, path, headers) => {
  expect((await fetch(url + path, { method, headers })).status).toBe(OF_THE_API);
});

test('answers HEAD without a body', async () => {
  const response = await fetch(url, { method: 'HEAD', headers: HTML });
  expect([response.status, await response.text()]).toEqual([200, '']);
});
