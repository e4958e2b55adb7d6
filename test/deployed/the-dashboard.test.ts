/**
 * The dashboard as deployed: its files through the distribution, the API on the same origin, and a person in Chromium
 * who signs in and connects, at an address that no setting of the stage names.
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CreateBucketCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { WEB_BUILD_DIR } from '#infra/web/build.ts';
import { partsOfPage } from '#infra/web/page-files.ts';
import { contentSecurityPolicy, PAGE_HEADERS } from '#infra/web/page-headers.ts';
import { CHROMIUM } from '#test/browser/chromium.ts';
import { stories, useBrowser } from '#test/browser/use-browser.ts';
import { useStack } from '#test/helpers/e2e-stack.ts';

const {
  EDGE: edge = '',
  GATEWAY: gateway = '',
  DASHBOARD_HOST: host = '',
  DASHBOARD_BUCKET: Bucket = '',
} = process.env;
const s3 = new S3Client({
  endpoint: gateway,
  region: 'us-east-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  forcePathStyle: true,
});
const parts = partsOfPage(WEB_BUILD_DIR);
const files = parts.flatMap(({ cacheControl, files: all }) => all.map((file) => ({ ...file, cacheControl })));
const headersOf = (answer: Response, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, answer.headers.get(name)]));
const SAFE = { ...PAGE_HEADERS, 'content-security-policy': contentSecurityPolicy([]) };

const keysIn = async (bucket: string): Promise<string[]> => {
  const { Contents = [], IsTruncated } = await s3.send(new ListObjectsV2Command({ Bucket: bucket }));
  expect(IsTruncated).toBe(false);
  return Contents.map(({ Key }) => Key!).sort();
};

/** docs/sandbox-credentials.md: a small company. */
const COMPANY = { rut: '70000005-2', password: 'clave-de-prueba' };
/** Ends a sync that hangs. */
const SYNC_TIMEOUT_MS = 120_000;

const stage = useStack();

describe('its files', () => {
  test('are those of the build and the way to sign in, and nothing else', async () => {
    expect(files.length).toBeGreaterThan(20);
    expect(await keysIn(Bucket)).toEqual([...files.map(({ key }) => key), 'config.json'].sort());
    const config = await fetch(`${edge}/config.json`);
    expect(await config.json()).toEqual({ sign_in: { kind: 'token' } });
    expect(headersOf(config, ['content-type', 'cache-control'])).toEqual({
      'content-type': 'application/json',
      'cache-control': 'no-cache',
    });
  });

  test.each(files)('$key is served completely, with the headers for browsers, under the policy', async (file) => {
    const answer = await fetch(`${edge}/${file.key}`);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(readFileSync(file.path))).toBe(true);
    const wanted = { 'content-type': file.contentType, 'cache-control': file.cacheControl, ...SAFE };
    expect(headersOf(answer, Object.keys(wanted))).toEqual(wanted);
  });

  test('the page is at each of its addresses; what is missing is not taken for one', async () => {
    const page = readFileSync(files.find(({ key }) => key === 'index.html')!.path, 'utf8');
    for (const address of ['/', '/connections', '/connections/00000000-0000-4000-8000-000000000000'])
      expect(await (await fetch(`${edge}${address}`)).text()).toBe(page);
    const missing = await fetch(`${edge}/assets/index-00000000.js`);
    expect(missing.status).toBe(403);
    expect(await missing.text()).not.toContain('<html');
  });

  test('are only readable, and only over TLS', async () => {
    expect((await fetch(`${edge}/`, { method: 'POST' })).status).toBe(403);
    // The emulator identifies distributions by the host of the request, and treats requests without a protocol header
    // as http.
    const { promise: told, resolve } = Promise.withResolvers<IncomingMessage>();
    request(`${gateway}/connections`, { headers: { host } }, resolve).end();
    const { statusCode, headers } = await told;
    expect([statusCode, headers.location]).toEqual([301, `https://${host}/connections`]);
  });
});

test('the API is on the same origin, with its description and its page', async () => {
  const sources = await fetch(`${edge}/api/external-sources`);
  expect(sources.status).toBe(200);
  expect(((await sources.json()) as { data: unknown[] }).data.length).toBeGreaterThan(4);
  expect((await fetch(`${edge}/api/connections`)).status).toBe(401);
  const docs = await fetch(`${edge}/docs`);
  expect(docs.headers.get('content-type')).toContain('text/html');
  expect(await docs.text()).not.toContain('id="root"');
});

/**
 * Sends the request of CloudFormation at a delete of the stack. This bucket stays, so that the test can look into it.
 */
test('the function empties a bucket before it goes, and says so', async () => {
  const bucket = `left-behind-${Date.now()}`;
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  try {
    for (const Key of ['index.html', 'assets/a.js', 'assets/b.css'])
      await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: Key }));
    const answered = Promise.withResolvers<Record<string, string>>();
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      response.end();
      answered.resolve(JSON.parse(Buffer.concat(chunks).toString()));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const ids = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'Files', PhysicalResourceId: bucket };
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const asked = { RequestType: 'Delete', ...ids, ResponseURL: url, ResourceProperties: { bucket: Bucket } };
    const all = (await (await fetch(`${gateway}/2015-03-31/functions?MaxItems=10000`)).json()) as {
      Functions: { FunctionName: string; Description: string }[];
    };
    const { FunctionName } = all.Functions.find(({ Description }) => Description === 'publish-dashboard')!;
    await fetch(`${gateway}/2015-03-31/functions/${FunctionName}/invocations`, {
      method: 'POST',
      body: JSON.stringify(asked),
    });
    expect(await answered.promise).toEqual({ ...ids, Status: 'SUCCESS' });
    server.close();
    expect(await keysIn(bucket)).toEqual([]);
    expect((await keysIn(Bucket)).length).toBe(files.length + 1);
  } finally {
    await fetch(`${gateway}/${bucket}`, { method: 'DELETE' });
  }
});

// CI must not pass by skipping these tests.
if (CHROMIUM === null && process.env.CI === 'true') throw new Error('no Chromium (apt-get install chromium)');
const web = useBrowser({
  stack: { apiUrl: edge },
  get api() {
    return stage.api;
  },
});

stories('a person', () => {
  test('hands in a session, connects a company, sees it synchronized, and leaves', async () => {
    const page = await web.open('/connections');
    await page.getByLabel('Sesión', { exact: true }).fill(stage.api.file.session);
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.getByRole('heading', { name: 'Conexiones', exact: true }).waitFor();
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: '__Host-sb-access-token', httpOnly: true, secure: true, sameSite: 'Lax' });
    expect(await page.evaluate('document.cookie')).toBe('');

    await page.getByRole('link', { name: 'Conectar' }).click();
    await page.getByRole('radio', { name: 'Servicio de Impuestos Internos' }).check();
    await page.getByLabel('Nombre de la conexión').fill('Panadería desplegada');
    await page.getByLabel('RUT de quien inicia sesión').fill(COMPANY.rut);
    await page.getByLabel(/^Clave \*$/).fill(COMPANY.password);
    await page.getByRole('button', { name: 'Conectar y sincronizar' }).click();
    await page.getByRole('heading', { name: 'Panadería desplegada', level: 1 }).waitFor();
    await page.getByText('Activa', { exact: true }).waitFor({ timeout: SYNC_TIMEOUT_MS });

    await page.reload();
    await page.getByRole('heading', { name: 'Panadería desplegada', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Cerrar sesión' }).click();
    await page.getByRole('heading', { name: 'Iniciar sesión' }).waitFor();
    // The empty cookie remains, so that no other one counts (ADR 10).
    expect((await page.context().cookies()).map(({ value }) => value)).toEqual(['']);
  });
});
