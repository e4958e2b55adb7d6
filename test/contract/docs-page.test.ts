/** `/docs/try` as a browser loads it: the page, all files that it names, and nothing from another origin. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { load } from 'cheerio';
import { describe, expect, test } from 'vitest';
import { contract as assetContract } from '#functions/api/system/get-docs-asset/contract.ts';
import { handler as getAsset } from '#functions/api/system/get-docs-asset/handler.ts';
import { contract as pageContract } from '#functions/api/system/get-docs-try/contract.ts';
import { handler as getPage } from '#functions/api/system/get-docs-try/handler.ts';
import { contract as openapiContract } from '#functions/api/system/get-openapi/contract.ts';
import { handler as getOpenapi } from '#functions/api/system/get-openapi/handler.ts';
import { handler as unknownRoute } from '#functions/api/system/not-found/handler.ts';
import { type Answered, call, context, eventOf } from '#test/helpers/http.ts';
import { DOCS_ASSETS, docsAssets, docsFiles } from '#tools/docs-assets.ts';

const ORIGIN = 'https://api.test';
/** `guides.test.ts` checks these. */
const GUIDES = ['/docs', '/docs/reference'];

const at = async (path: string, headers: Record<string, string> = {}): Promise<Answered> => {
  if (path === '/docs/try') return call(pageContract, getPage, { headers });
  if (path === '/api/openapi.json') return call(openapiContract, getOpenapi, { headers });
  return call(assetContract, getAsset, { headers, params: { file: path.slice('/docs/'.length) } });
};

/** Parsed as without scripts, so that the content for such readers is included. */
const page = load((await at('/docs/try')).text, { scriptingEnabled: false });
const addressesOf = (attribute: string): string[] =>
  page(`[${attribute}]`)
    .get()
    .map((element) => page(element).attr(attribute)!)
    .filter((address) => !address.startsWith('data:'));
/** Absolute addresses of all that the page names, resolved from `/docs/try` as by a browser. */
const named = [...addressesOf('src'), ...addressesOf('href')].map((address) => new URL(address, `${ORIGIN}/docs/try`));
const paths = [...new Set(named.map(({ pathname }) => pathname))].filter((path) => !GUIDES.includes(path));

const TYPES: Record<string, string> = { css: 'text/css', js: 'text/javascript', json: 'application/json' };

/** Bytes as sent: `Answered` holds text, and compressed bytes are no text. */
const bytesOf = async (file: string): Promise<Buffer> => {
  const event = eventOf({ method: 'GET', path: `/docs/${file}`, params: { file } });
  const { body, isBase64Encoded } = await getAsset(event, context);
  expect(isBase64Encoded).toBe(true);
  return Buffer.from(body!, 'base64');
};

test('the page is HTML with a title and a way in without scripts', async () => {
  const { status, headers } = await at('/docs/try');
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page('title').text()).toBe('Try it · Data connections API');
  expect(page('html').attr('lang')).toBe('en');
  expect(
    page('noscript a')
      .get()
      .map((link) => page(link).attr('href')),
  ).toEqual(['/docs/reference', '/api/openapi.json']);
});

test('it names scripts, styles and the description, all of its own origin, and has no inline script', () => {
  expect(named.map(({ origin }) => origin).every((origin) => origin === ORIGIN)).toBe(true);
  expect(paths.sort()).toEqual([
    '/api/openapi.json',
    '/docs/page.css',
    '/docs/page.js',
    '/docs/swagger-ui-bundle.js',
    '/docs/swagger-ui.css',
  ]);
  const inline = page('script:not([src]), style, [onload], [onerror], [onclick]');
  expect(inline).toHaveLength(0);
});

describe.each(['/docs/try', ...paths])('%s', (path) => {
  test('is served with its type, and forbids type guessing', async () => {
    const { status, headers } = await at(path);
    const type = path === '/docs/try' ? 'text/html' : TYPES[path.split('.').at(-1)!]!;
    expect([status, headers['content-type']?.split(';')[0]]).toEqual([200, type]);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  test('is not sent again to whom has it', async () => {
    const { etag } = (await at(path)).headers;
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const known of [etag!, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await at(path, { 'if-none-match': known });
      expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
      expect(again.headers['content-encoding']).toBeUndefined();
    }
    expect((await at(path, { 'if-none-match': '"other"' })).status).toBe(200);
    expect((await at(path)).headers['cache-control']).toBe('no-cache');
  });

  test('answers no other method, HEAD included, and says which one it does', async () => {
    for (const method of ['HEAD', 'POST']) {
      const { statusCode, headers } = await unknownRoute(eventOf({ method, path }), context);
      expect([statusCode, headers?.allow]).toEqual([405, 'GET']);
    }
  });
});

test('lets nothing be loaded from elsewhere, framed, or sent elsewhere', async () => {
  const policy = (await at('/docs/try')).headers['content-security-policy']!;
  const directives = Object.fromEntries(
    policy.split('; ').map((directive): [string, string[]] => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources];
    }),
  );
  const allowed = new Set(["'self'", "'none'", "'unsafe-inline'", 'data:']);
  expect(
    Object.values(directives)
      .flat()
      .filter((source) => !allowed.has(source)),
  ).toEqual([]);
  expect(directives).toMatchObject({
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'connect-src': ["'self'"],
    'frame-ancestors': ["'none'"],
    'form-action': ["'none'"],
    'base-uri': ["'none'"],
  });
});

test.each(docsFiles().map((asset) => [asset.file, asset] as const))(
  '%s comes as it was packed',
  async (file, asset) => {
    expect(gunzipSync(await bytesOf(file)).equals(asset.bytes)).toBe(true);
    const { headers } = await at(`/docs/${file}`);
    expect([headers['content-type'], headers['content-encoding']]).toEqual([asset.type, 'gzip']);
  },
);

test('the committed assets are what the files give', () => {
  expect(readFileSync(join(import.meta.dirname, '../..', DOCS_ASSETS), 'utf8')).toBe(docsAssets());
});

test('our own script and style load nothing from anywhere', () => {
  const own = docsFiles().filter(({ file }) => file.startsWith('page.'));
  for (const { bytes } of own) expect(bytes.toString()).not.toMatch(/https?:|\/\/[a-z]|@import|url\(/i);
  const script = own.find(({ file }) => file === 'page.js')!.bytes.toString();
  // Any other value would make the renderer call another host, or send the caller's credentials there.
  expect(script).toMatch(/validatorUrl: null/);
  expect(script).toMatch(/url: '\/api\/openapi\.json'/);
});

test.each(['unknown.js', 'page.css.map', '../handler.ts', 'constructor', ''])('%j: 404', async (file) => {
  const answer = await at(`/docs/${file}`);
  expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
});
