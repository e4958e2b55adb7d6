/** The guides as a reader without JavaScript sees them: every page, in both forms, from one source. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'cheerio';
import { describe, expect, test } from 'vitest';
import { contract as indexContract } from '#functions/api/system/get-docs/contract.ts';
import { handler as getIndex } from '#functions/api/system/get-docs/handler.ts';
import { contract as assetContract } from '#functions/api/system/get-docs-asset/contract.ts';
import { handler as getAsset } from '#functions/api/system/get-docs-asset/handler.ts';
import { contract as llmsContract } from '#functions/api/system/get-llms/contract.ts';
import { handler as getLlms } from '#functions/api/system/get-llms/handler.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { ERROR_CATALOGUE } from '#shared/values/error-catalogue.ts';
import { NOTICE_CATALOGUE } from '#shared/values/notice-catalogue.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import { type Answered, call } from '#test/helpers/http.ts';
import { docsPages, listLanguages } from '#tools/docs-pages.ts';
import { listEvents, type ReferenceDescription, referencePages } from '#tools/docs-reference.ts';
import { loginsByCode, readSandboxTables } from '#tools/sandbox-credentials.ts';

const ROOT = join(import.meta.dirname, '../..');
const description = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as ReferenceDescription;
const pages = docsPages(description, loginsByCode(await readSandboxTables()));
const names = pages.map(({ name }) => name);

const at = async (path: string, headers: Record<string, string> = {}): Promise<Answered> => {
  if (path === '/docs') return call(indexContract, getIndex, { headers });
  if (path === '/llms.txt') return call(llmsContract, getLlms, { headers });
  return call(assetContract, getAsset, { headers, params: { file: path.slice('/docs/'.length) } });
};
const markdownOf = async (name: string): Promise<string> => (await at(`/docs/${name}.md`)).text;

/** Only letters and digits, because tags, marks and blanks differ between the two forms. */
const words = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '');

test('there is a page for each question of an integrator', () => {
  expect(names).toEqual(
    expect.arrayContaining([
      ...['index', 'sandbox', 'mirror', 'webhooks', 'reading', 'links', 'agents', 'errors', 'glossary', 'reference'],
      ...['limits', 'changelog'],
    ]),
  );
});

describe.each(names)('%s', (name) => {
  const path = `/docs/${name}`;

  test('is HTML that needs no script and loads only its style', async () => {
    const { status, headers, text } = await at(path);
    expect([status, headers['content-type'], headers['content-encoding']]).toEqual([
      200,
      'text/html; charset=utf-8',
      undefined,
    ]);
    const page = load(text, { scriptingEnabled: false });
    expect(page('script, noscript, style, [style], img, iframe')).toHaveLength(0);
    expect(page('h1')).toHaveLength(1);
    expect(page('main').text().length).toBeGreaterThan(500);
    expect(
      page('link[rel=stylesheet]')
        .get()
        .map((link) => page(link).attr('href')),
    ).toEqual(['/docs/guide.css']);
    const policy = headers['content-security-policy']!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/script-src|unsafe/);
  });

  test('has the same words as Markdown', async () => {
    const { headers } = await at(`${path}.md`);
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
    const markdown = await markdownOf(name);
    expect(markdown).toMatch(/^# /);
    expect(markdown).not.toMatch(/<!-- (?:sample|catalogue|limits)/);
    const html = words(load((await at(path)).text)('main').text());
    for (const line of markdown.split('\n').filter((each) => /^(?:#+|-) [^[\]]+$/.test(each)))
      expect(html).toContain(words(line));
  });

  test('links only to existing targets', async () => {
    const page = load((await at(path)).text);
    const hrefs = page('a[href]')
      .get()
      .map((link) => page(link).attr('href')!)
      .filter((href) => !href.startsWith('https:'));
    for (const href of new Set(hrefs)) {
      const [target = '', fragment] = href.split('#');
      const isElsewhere = ['/docs/try', '/api/openapi.json'].includes(target);
      const answer = isElsewhere ? undefined : await at(target === '' ? path : target);
      expect(answer?.status ?? 200, href).toBe(200);
      if (fragment) expect(load(answer!.text)(`[id="${fragment}"]`), href).toHaveLength(1);
    }
  });

  test('has each of its addresses once', async () => {
    const page = load((await at(path)).text);
    const ids = page('main [id]')
      .get()
      .map((element) => page(element).attr('id'));
    expect(ids.filter((id, n) => ids.indexOf(id) !== n)).toEqual([]);
  });

  test('is not sent again to whom has it', async () => {
    for (const form of [path, `${path}.md`]) {
      const { etag } = (await at(form)).headers;
      const again = await at(form, { 'if-none-match': etag! });
      expect([again.status, again.text]).toEqual([304, '']);
    }
  });
});

test('the page of limits has the numbers of the code', async () => {
  const text = await markdownOf('limits');
  expect(text).toContain(
    `| webhook endpoints | ${WEBHOOK_LIMITS.webhookEndpointsMax} | 409 \`webhook_limit_reached\` |`,
  );
  expect(text).toContain(`| starts of syncs | ${SYNC_LIMITS.syncStartsPerMinute} a minute and organization |`);
  expect(text).toContain('| reads (GET) of a key or an application | 1,000 a minute | 429 `rate_limited` |');
  expect(text).toContain(
    '| reads of all keys and applications | 3,000 a minute and organization | 429 `rate_limited` |',
  );
  expect(text).toContain('| reads of a person | 3,000 a minute | 429 `rate_limited` |');
  expect(text).toContain('| body | 256 KiB | 413 `payload_too_large` |');
});

test('the changelog is served with every line of the file', async () => {
  const page = load((await at('/docs/changelog')).text)('main').text();
  const file = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  const lines = file.split('\n').filter((line) => /^- [^[\]`]+$/.test(line));
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines) expect(words(page)).toContain(words(line));
});

test('the first page is that of /docs', async () => {
  const [first, named] = await Promise.all([at('/docs'), at('/docs/index')]);
  expect([first.status, first.text]).toEqual([200, named.text]);
  expect(first.headers['content-security-policy']).not.toMatch(/script-src|unsafe/);
});

test('llms.txt lists the Markdown of every page', async () => {
  const { headers, text } = await at('/llms.txt');
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect([...text.matchAll(/\]\(\/docs\/([a-z-]+)\.md\): ./g)].map(([, name]) => name)).toEqual(names);
});

test('every sample is shown in its languages, as the file has it', async () => {
  const guides = (await Promise.all(names.map(markdownOf))).join('\n');
  const samples = [
    'connect',
    'mirror',
    'tenders',
    'warehouse',
    'warehouse_tenders',
    'airbyte',
    'read',
    'verify',
    'resend',
    'rotate',
    'explain',
  ];
  for (const sample of samples)
    for (const { ending } of listLanguages(sample)) {
      const file = readFileSync(join(ROOT, `docs/examples/guides/${sample}.${ending}`), 'utf8');
      expect(guides).toContain(`\`\`\`${ending}\n${file.trimEnd()}\n\`\`\``);
    }
});

test.each(['ts', 'py'])('the mirror is fifty-five lines at most: mirror.%s', (ending) => {
  const lines = readFileSync(join(ROOT, `docs/examples/guides/mirror.${ending}`), 'utf8')
    .trimEnd()
    .split('\n');
  expect(lines.length).toBeLessThanOrEqual(55);
});

describe('a request that nobody answers ends', () => {
  const folder = join(ROOT, 'docs/examples/guides');
  const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');

  // dlt has its own time limit of a minute.
  test.each(readdirSync(folder).filter((name) => /(?:urlopen|send_request)\(/.test(textOf(name))))('%s', (name) => {
    const requests = textOf(name).match(/(?:urlopen|send_request)\(.*/g) ?? [];
    for (const request of requests) expect(request).toMatch(/timeout=60|"timeout": 60/);
  });

  // Node ends any other request after five minutes.
  test.each(['mirror.ts', 'tenders.ts'])('%s', (name) => {
    expect(textOf(name).match(/ fetch\(.*/g)).toEqual([expect.stringMatching(/, asked\);$/)]);
    expect(textOf(name)).toMatch(/ asked = \{.* signal: AbortSignal\.timeout\(60_000\) \};/);
  });
});

test('the page of errors has every code with its login, or the reason why no login shows it', async () => {
  const logins = loginsByCode(await readSandboxTables());
  const markdown = await markdownOf('errors');
  for (const { code, en, es } of ERROR_CATALOGUE) {
    expect(markdown).toContain(`### \`${code}\`\n\n${en}\n`);
    expect(markdown).toContain(`- In Spanish: ${es}\n`);
  }
  for (const { code, noLogin } of NOTICE_CATALOGUE) {
    const [login] = logins.get(code) ?? [];
    const shown = login === undefined ? noLogin! : Object.values(login.entry.credentials)[0]!;
    const line = markdown.split('\n').find((each) => each.startsWith(`| \`${code}\` |`));
    expect(line, code).toContain(shown);
  }
  for (const item of Object.values(description.paths).flatMap((each) => Object.values(each)))
    for (const code of Object.values(item['x-error-codes'] ?? {}).flat()) expect(markdown).toContain(`| \`${code}\` |`);
});

test('the reference has every operation and every event', async () => {
  const text = (await Promise.all(names.filter((name) => name.startsWith('reference-')).map(markdownOf))).join('\n');
  const operations = Object.entries(description.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `## ${method.toUpperCase()} ${path}\n`),
  );
  expect(operations.length).toBeGreaterThan(40);
  for (const title of operations) expect(text).toContain(title);
  for (const type of ['sync.succeeded', 'sync.partial', 'sync.failed']) expect(text).toContain(`## Event ${type}\n`);
});

test('the reference finds events at the root and as callbacks of what creates an endpoint', () => {
  const events = listEvents(description);
  expect(events.map(([type]) => type)).toEqual(['sync.succeeded', 'sync.partial', 'sync.failed']);
  const callbacks = Object.fromEntries(
    events.map(([type, post]) => [type, { '{$request.body#/url}': { post } }] as const),
  );
  const { webhooks: _, ...others } = description;
  const create = { ...others.paths['/webhooks']!.post!, callbacks };
  const moved = { ...others, paths: { ...others.paths, '/webhooks': { ...others.paths['/webhooks'], post: create } } };
  expect(listEvents(moved)).toEqual(events);
  expect(referencePages(moved)).toEqual(referencePages(description));
});

test.each(['unknown', 'webhooks.html', 'errors.md.md', 'INDEX', '__proto__'])('%j: 404', async (file) => {
  const answer = await at(`/docs/${file}`);
  expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
});
