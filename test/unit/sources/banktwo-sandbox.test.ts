/** The simulated bank by itself: it refuses what the bank would refuse, and its data are plausible and add up. */
import Big from 'big.js';
import { v4 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manifest } from '#shared/sources/banktwo/manifest.ts';
import { accountingDay } from '#shared/sources/banktwo/sandbox/calendar.ts';
import { SANDBOX_CREDENTIALS } from '#shared/sources/banktwo/sandbox/credentials.ts';
import { generateMonth } from '#shared/sources/banktwo/sandbox/generate.ts';
import type { Ledger } from '#shared/sources/banktwo/sandbox/ledger.ts';
import { createBanktwoSandbox } from '#shared/sources/banktwo/sandbox/server.ts';
import { clientCode } from '#shared/sources/banktwo/wire.ts';
import { normalizeRut } from '#shared/values/rut.ts';
import { NOW_MS } from './ask.ts';

let nowMs = NOW_MS;
const sandbox = createBanktwoSandbox({ now: () => nowMs });
let url: string;
beforeAll(async () => {
  url = await sandbox.listen(0);
});
afterAll(() => sandbox.close());

const { credentials: CLIENT } = SANDBOX_CREDENTIALS[0]!;
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
const FORM = 'application/x-www-form-urlencoded';

const askToken = async (change: { headers?: Record<string, string>; body?: string; client?: typeof CLIENT } = {}) => {
  const { client_id: id, client_secret: secret } = change.client ?? CLIENT;
  const answer = await fetch(`${url}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: basic(id, secret), 'content-type': FORM, ...change.headers },
    body: change.body ?? 'grant_type=client_credentials&scope=accounts.read',
  });
  return { status: answer.status, json: JSON.parse(await answer.text()) };
};

const headersOf = (token: string, client = CLIENT): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  'x-client-id': client.client_id,
  'x-client-code': clientCode(client.company_rut),
  'x-request-id': v4(),
});

const call = async (path: string, headers: Record<string, string>, body?: unknown) => {
  const answer = await fetch(`${url}/v1/current-accounts${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, json: JSON.parse(text) };
};

describe('tokens', () => {
  test('a good one lives half an hour', async () => {
    const { status, json } = await askToken();
    expect(status).toBe(200);
    expect(json).toMatchObject({ token_type: 'Bearer', expires_in: 1800, scope: 'accounts.read' });
    expect((await call('', headersOf(json.access_token))).status).toBe(200);
    nowMs += 1_800_000;
    expect(await call('', headersOf(json.access_token))).toMatchObject({
      status: 401,
      json: { code: 'INVALID_TOKEN' },
    });
    nowMs = NOW_MS;
  });

  test.each([
    ['no Basic', { headers: { authorization: 'Bearer x' } }, 401, 'invalid_client'],
    ['a wrong secret', { headers: { authorization: basic(CLIENT.client_id, 'x') } }, 401, 'invalid_client'],
    ['another grant', { body: 'grant_type=password&scope=accounts.read' }, 400, 'invalid_scope'],
    ['another scope', { body: 'grant_type=client_credentials&scope=payments' }, 400, 'invalid_scope'],
    ['no form', { headers: { 'content-type': 'application/json' }, body: '{}' }, 400, 'invalid_request'],
  ])('%s', async (_what, change, status, error) => {
    expect(await askToken(change)).toEqual({ status, json: { error } });
  });
});

describe('data calls are refused without', () => {
  test.each([
    ['a token', { authorization: '' }, 401, 'INVALID_TOKEN'],
    ['a known token', { authorization: 'Bearer x' }, 401, 'INVALID_TOKEN'],
    ['its client', { 'x-client-id': 'banktwo-large' }, 401, 'INVALID_TOKEN'],
    ['a request id', { 'x-request-id': 'x' }, 400, 'VALIDATION'],
    ['a padded company', { 'x-client-code': '76200113' }, 400, 'VALIDATION'],
    ['a granted company', { 'x-client-code': '0070000002K' }, 403, 'CLIENT_CODE'],
  ])('%s', async (_what, change, status, code) => {
    const { json } = await askToken();
    const answer = await call('', { ...headersOf(json.access_token), ...change });
    expect(answer).toMatchObject({ status, json: { code, message: expect.any(String), traceId: expect.any(String) } });
  });

  test('the request id comes back', async () => {
    const headers = headersOf((await askToken()).json.access_token);
    expect((await call('', headers)).headers.get('x-request-id')).toBe(headers['x-request-id']);
  });
});

describe('transactions', () => {
  const start = async () => {
    const { json } = await askToken();
    const headers = headersOf(json.access_token);
    const { accountId, currency } = (await call('', headers)).json.accounts[0];
    const zeros = { startMovement: '000000000', endMovement: '000000000' };
    const query = { accountId, currency, openingDate: '2026-10-01', closingDate: '2026-10-31', ...zeros };
    return { query, post: (change: object) => call('/transactions', headers, { ...query, ...change }) };
  };

  test.each([
    ['a date that does not exist', { openingDate: '2026-10-32' }, 400, 'VALIDATION'],
    ['dates in the wrong order', { openingDate: '2026-11-01' }, 400, 'VALIDATION'],
    ['the future', { closingDate: '2026-11-21' }, 400, 'VALIDATION'],
    ['more than 18 months ago', { openingDate: '2025-05-19', closingDate: '2025-05-31' }, 400, 'VALIDATION'],
    ['91 days', { openingDate: '2026-08-01', closingDate: '2026-10-30' }, 422, 'WINDOW_TOO_LARGE'],
    ['a cursor of its own making', { startMovement: '000000001', endMovement: '000000002' }, 400, 'VALIDATION'],
    ['another currency', { currency: 'USD' }, 400, 'VALIDATION'],
    ['an unknown account', { accountId: '9999000000000001' }, 404, 'ACCOUNT_NOT_FOUND'],
    ['a further field', { page: 2 }, 400, 'VALIDATION'],
  ])('refused: %s', async (_what, change, status, code) => {
    expect(await (await start()).post(change)).toMatchObject({ status, json: { code } });
  });

  test('90 days and the last day of the depth are not', async () => {
    const { post } = await start();
    expect((await post({ openingDate: '2026-08-02', closingDate: '2026-10-30' })).status).toBe(200);
    expect((await post({ openingDate: '2025-05-20', closingDate: '2025-05-31' })).status).toBe(200);
  });

  test('pages come newest first, and their cursor lives 5 minutes', async () => {
    const { post } = await start();
    const { json: first } = await post({});
    expect(first.movements).toHaveLength(50);
    const { recordRecover, initialMove, finalMove } = first.repositioningExit;
    expect([recordRecover, initialMove, finalMove]).toEqual([
      '50',
      first.movements.at(-1).movementNumber,
      first.movements[0].movementNumber,
    ]);
    const cursor = { startMovement: initialMove, endMovement: finalMove };
    const { json: second } = await post(cursor);
    const days = [...first.movements, ...second.movements].map(({ accountingDate }) => accountingDate);
    expect(days).toEqual(days.toSorted().reverse());
    expect(await post({ ...cursor, closingDate: '2026-10-30' })).toMatchObject({ status: 400 });
    nowMs += 300_001;
    expect(await post(cursor)).toMatchObject({ status: 409, json: { code: 'CURSOR_EXPIRED' } });
    nowMs = NOW_MS;
  });

  test('balances run on from row to row', async () => {
    const { post } = await start();
    const { movements } = (await post({})).json;
    const signed = (text: string) => Number(text.slice(0, 14)) * (text.endsWith('-') ? -1 : 1);
    for (let i = 1; i < movements.length; i++) {
      const before = signed(movements[i].newBalance);
      expect(before + signed(movements[i - 1].movementAmount)).toBe(signed(movements[i - 1].newBalance));
    }
  });
});

describe('data', () => {
  const request = {
    ...{ seed: 'banktwo', accountId: '0012000000456789', currency: 'USD', period: '2026-10', movements: 2000 },
    ...{ lateShare: 0.1, isPrompt: false, isPaired: false },
  };
  const made = generateMonth(request);

  test('come only from the seed', () => {
    expect(generateMonth(request)).toEqual(made);
    expect(generateMonth({ ...request, seed: 'other' })).not.toEqual(made);
  });

  test('are plausible', () => {
    expect(made).toHaveLength(2000);
    const parties = made.flatMap(({ counterparty }) => counterparty ?? []);
    expect(parties.every(({ rut }) => normalizeRut(rut) === rut)).toBe(true);
    expect(parties.some(({ name }) => name.includes('Ñ'))).toBe(true);
    expect(made.some(({ transactionDate }) => transactionDate === '2026-10-31')).toBe(true);
    expect(made.some(({ accountingDate }) => accountingDate === '2026-11-02')).toBe(true);
    expect(made.some(({ centavos }) => centavos % 100 !== 0)).toBe(true);
    expect(new Set(made.map(({ number }) => number)).size).toBe(2000);
  });

  test.each([
    ['2026-10-30', '13:59:59', '2026-10-30'],
    ['2026-10-30', '14:00:00', '2026-11-02'],
    ['2026-10-31', '09:00:00', '2026-11-02'],
    ['2026-12-24', '18:00:00', '2026-12-28'],
  ])('%s %s is booked on %s', (day, time, booked) => expect(accountingDay(day, time)).toBe(booked));
});

describe('doors for tests', () => {
  const get = async (path: string): Promise<unknown> => (await fetch(`${url}/_sandbox/${path}`)).json();
  const post = async (change: object) => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${url}/_sandbox/knobs`, { method: 'POST', headers, body: JSON.stringify(change) })).status;
  };

  test('the ledger is exact and adds up', async () => {
    const ledger = (await get(`ledger?login=${CLIENT.client_id}`)) as Ledger;
    const period = ledger.movements['2026-10']!;
    const parts = Object.values(period.by);
    expect(parts.reduce((sum, { count }) => sum + count, 0)).toBe(period.count);
    expect(parts.reduce((sum, { sums }) => sum.plus(sums.amount!), Big(0)).toFixed()).toBe(period.sums.amount);
    const alone = (await get(`ledger?login=${CLIENT.client_id}&period=2026-10`)) as Ledger;
    expect(alone).toEqual({ movements: { '2026-10': period }, balances: ledger.balances });
  });

  test('token calls are counted, and the tokens that are still good', async () => {
    const client = { ...SANDBOX_CREDENTIALS[2]!.credentials };
    await askToken({ client });
    await askToken({ client: { ...client, client_secret: 'x' } });
    expect(await get(`logins?login=${client.client_id}`)).toEqual({ logins: 2, sessions: 1 });
  });

  test('limits by knob', async () => {
    expect(await post({ requestsPerMinute: 1, reset: true })).toBe(200);
    const headers = headersOf((await askToken()).json.access_token);
    expect((await call('', headers)).headers.get('x-ratelimit-remaining')).toBe('0');
    const second = await call('', headers);
    expect(second).toMatchObject({ status: 429, json: { code: 'RATE_LIMIT' } });
    expect([second.headers.get('retry-after'), second.headers.get('x-ratelimit-reset')]).toEqual(['60', '60']);
    nowMs += 60_000;
    expect((await call('', headers)).status).toBe(200);
    nowMs = NOW_MS;
    expect(await post({ requestsPerMinute: 0 })).toBe(200);
  });

  test('movements by knob', async () => {
    const login = 'banktwo-loose-types';
    expect(await post({ login, period: '2026-03', movements: 700 })).toBe(200);
    const ledger = sandbox.ledger(login, '2026-03').movements['2026-03']!;
    expect(ledger.count).toBeGreaterThan(600);
  });

  test.each([
    { knob: 1 },
    { movements: 5 },
    { login: 'nadie', movements: 5 },
    { login: 'banktwo-works', late: 1 },
    { latencyMs: -1 },
    [],
  ])('unknown or faulty: %j', async (change) => expect(await post(change)).toBe(400));
});

describe('the credential table', () => {
  test('is what the manifest accepts', () => {
    for (const { credentials, metadata } of SANDBOX_CREDENTIALS) {
      expect(manifest.credentialsSchema.safeParse(credentials).success).toBe(true);
      expect(manifest.metadataSchema.safeParse(metadata).success).toBe(true);
    }
  });

  test('has every client and every company once', () => {
    const ids = SANDBOX_CREDENTIALS.map(({ credentials }) => credentials.client_id);
    const companies = SANDBOX_CREDENTIALS.map(({ credentials }) => credentials.company_rut);
    expect([new Set(ids).size, new Set(companies).size]).toEqual([ids.length, ids.length]);
  });
});
