/** The smoke test rejects a stage whose answers are not those of this service. */
import { describe, expect, test } from 'vitest';
import { bearerToken } from '#shared/http/request/auth.ts';
import { checkDomain, smokeTest } from '#tools/operations/smoke-test.ts';

const API = 'https://api.example.com/api';
const DASHBOARD = 'https://app.example.com';
const PAGE = '<!doctype html><div id="root"></div><script type="module" src="/main.js"></script>';

type Answers = Record<string, [status: number, body: unknown] | Error>;
const RIGHT: Answers = {
  [`${API}/openapi.json`]: [200, { openapi: '3.1.0', paths: { '/connections': {} } }],
  [`${API}/no-such-route`]: [404, { error: { code: 'not_found', message: 'Not found.' } }],
  [`${API}/external-sources`]: [200, { data: [{ code: 'tax' }] }],
  [`${API}/connections`]: [401, { error: { code: 'unauthorized', message: 'No.' } }],
  [`${API}/connections with a key`]: [401, { error: { code: 'unauthorized', message: 'No.' } }],
  [`${DASHBOARD}/`]: [200, PAGE],
};

const run = async (answers: Answers, dashboard: string | null = DASHBOARD) => {
  const asked: string[] = [];
  const ask = async (url: string, { headers }: { headers: Record<string, string> }) => {
    const { authorization } = headers;
    // A malformed key is refused before the table is read.
    if (authorization !== undefined) expect(bearerToken(authorization)).toMatch(/^svc_sk_/);
    const question = authorization === undefined ? url : `${url} with a key`;
    asked.push(question);
    const answer = answers[question]!;
    if (answer instanceof Error) throw new TypeError('fetch failed', { cause: answer });
    const [status, body] = answer;
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
  };
  const faults = await smokeTest(
    { api: API, dashboard, domain: null },
    { ask: ask as unknown as typeof fetch, pauseMs: 0 },
  );
  return { faults, asked };
};

test('a stage that answers everything is asked once', async () => {
  const { faults, asked } = await run(RIGHT);
  expect(faults).toEqual([]);
  expect(asked.sort()).toEqual(Object.keys(RIGHT).sort());
});

test('a stage without a dashboard is not asked for one', async () => {
  const { asked } = await run(RIGHT, null);
  expect(asked).not.toContain(`${DASHBOARD}/`);
});

describe('recognized by its address', () => {
  test.each<[string, string, Answers[string], RegExp]>([
    ['a function that throws', 'external-sources', [500, { message: 'Internal Server Error' }], /500 instead of 200/],
    ['no source', 'external-sources', [200, { data: [] }], /not at least one source/],
    ['an empty description', 'openapi.json', [200, { openapi: '3.1.0', paths: {} }], /not the description/],
    ['a page in place of the description', 'openapi.json', [200, PAGE], /not the description/],
    ['the gateway’s own 404', 'no-such-route', [404, { message: 'Not Found' }], /404, but not our not_found/],
    ['an open door', 'connections', [200, { data: [] }], /200 instead of 401/],
    ['the gateway’s own 401', 'connections', [401, { message: 'Unauthorized' }], /not our unauthorized/],
    ['nobody', 'connections', new Error('connect ECONNREFUSED'), /ECONNREFUSED/],
  ])('%s', async (_, path, answer, told) => {
    const { faults } = await run({ ...RIGHT, [`${API}/${path}`]: answer });
    expect(faults).toEqual([expect.stringMatching(told)]);
    expect(faults[0]).toContain(`${API}/${path}: `);
  });

  test('a table that the API cannot read', async () => {
    const broken: Answers[string] = [500, { error: { code: 'internal_error', message: 'No.' } }];
    const { faults } = await run({ ...RIGHT, [`${API}/connections with a key`]: broken });
    expect(faults).toEqual([expect.stringMatching(/connections with an unknown key: 500 instead of 401/)]);
    expect(faults.join()).not.toContain('svc_sk_');
  });

  test.each<[string, Answers[string]]>([
    ['a page of CloudFront', [403, '<Error/>']],
    ['a page that is not ours', [200, '<h1>Welcome</h1>']],
    ['a redirect', [302, '']],
  ])('a dashboard that is %s', async (_, answer) => {
    const { faults } = await run({ ...RIGHT, [`${DASHBOARD}/`]: answer });
    expect(faults).toEqual([expect.stringContaining(`${DASHBOARD}/: `)]);
  });
});

test('a right answer within five attempts is right: a function may need a moment after its deploy', async () => {
  const times = (failures: number) => {
    let asked = 0;
    const ask = (async (url: unknown) => {
      const [status, body] = RIGHT[String(url)] as [number, unknown];
      const isEarly = String(url).endsWith('/external-sources') && ++asked <= failures;
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return new Response(isEarly ? '{}' : text, { status: isEarly ? 503 : status });
    }) as typeof fetch;
    return smokeTest({ api: API, dashboard: DASHBOARD, domain: null }, { ask, pauseMs: 0 });
  };
  expect(await times(4)).toEqual([]);
  expect(await times(5)).toEqual([expect.stringContaining('503 instead of 200')]);
});

describe('the stage’s own domain', () => {
  const addresses = { api: API, dashboard: 'https://d111.cloudfront.net', domain: 'https://data.example.cl' };
  const check = async (answer: Response | Error, more: Partial<typeof addresses> = {}) => {
    const asked: string[] = [];
    const ask = (async (url: unknown) => {
      asked.push(String(url));
      if (answer instanceof Error) throw new TypeError('fetch failed', { cause: answer });
      return answer;
    }) as typeof fetch;
    return { line: await checkDomain({ ...addresses, ...more }, { ask }), asked };
  };

  test('that shows the page needs no line', async () => {
    expect(await check(new Response(PAGE))).toEqual({ line: null, asked: ['https://data.example.cl/'] });
  });

  test.each([
    ['does not resolve', new Error('getaddrinfo ENOTFOUND data.example.cl'), 'ENOTFOUND'],
    ['names another distribution', new Response('<Error/>', { status: 403 }), '403 instead of 200'],
  ])('that %s is reported once, with the name to which it must point', async (_, answer, reason) => {
    const { line, asked } = await check(answer);
    expect(line).toContain(reason);
    expect(line).toMatch(/: point the CNAME record of data\.example\.cl at d111\.cloudfront\.net$/);
    expect(asked).toHaveLength(1);
  });

  test('is not asked where the stage has none', async () => {
    const none = { domain: null } as unknown as Partial<typeof addresses>;
    expect(await check(new Error('x'), none)).toEqual({ line: null, asked: [] });
  });
});
