import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { InboxItem } from '#tools/local/inbox.ts';
import { verifyWebhook } from '#tools/local/webhook-signature.ts';
import { startTinyStack, type TinyStack } from './tiny-stack.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const BODY = '{"type":"sync.succeeded","data":{"name":"Ñuñoa"}}';

let stack: TinyStack;
beforeAll(async () => {
  stack = await startTinyStack();
}, 60_000);
afterAll(() => stack.close());
beforeEach(() => call('DELETE', ''));

const call = (method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(`${stack.inboxUrl}${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
const list = async (): Promise<InboxItem[]> => ((await (await call('GET', '')).json()) as { data: InboxItem[] }).data;

const signed = (secret: string, nowMs: number, body = BODY): Record<string, string> => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(Math.floor(nowMs / 1000)),
  'webhook-signature': new Webhook(secret).sign('msg_1', new Date(nowMs), body),
});
const post = (path: string, headers: Record<string, string>): Promise<Response> =>
  fetch(`${stack.inboxUrl}${path}`, { method: 'POST', body: BODY, headers });

test('verifies against any registered secret, on the virtual clock', async () => {
  stack.clock.advance(7_200_000);
  expect((await call('PUT', '/secret', { secret: OTHER })).status).toBe(200);
  expect(await (await call('PUT', '/secret', { secret: SECRET })).json()).toEqual({ secrets: 2 });
  expect((await post('', signed(SECRET, stack.clock.nowMs()))).status).toBe(204);
  await post('/second', signed(SECRET, stack.clock.nowMs() - 301_000));
  await post('', { ...signed(SECRET, stack.clock.nowMs()), 'webhook-id': 'msg_2' });
  const [wrong, old, good] = await list();
  expect(good).toMatchObject({ inbox: 'main', verified: true, reason: null, body: BODY });
  expect(good?.headers['webhook-id']).toBe('msg_1');
  expect(old).toMatchObject({ inbox: 'second', verified: false, reason: 'the timestamp is 301 s old' });
  expect(wrong).toMatchObject({ verified: false, reason: 'no signature matches' });
});

test('fails as often as configured', async () => {
  expect((await call('POST', '/behaviour', { fail_next: 2, status: 503 })).status).toBe(200);
  const answers = [await post('', {}), await post('', {}), await post('', {})];
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 204]);
  expect((await list()).map(({ answered }) => answered)).toEqual([204, 503, 503]);
});

test.each([
  ['PUT', '/secret', { secret: 'plain' }, 400],
  ['POST', '/behaviour', { fail_next: -1 }, 400],
  ['PATCH', '', {}, 405],
])('%s %s with %j → %i', async (method, path, body, status) => {
  expect((await call(method, path, body)).status).toBe(status);
});

test('foreign pages are refused', async () => {
  const response = await fetch(stack.inboxUrl, { headers: { origin: 'https://page.example' } });
  expect(response.status).toBe(403);
});

test('the clock answers, advances and jumps', async () => {
  const clock = (body?: unknown) =>
    fetch(`${stack.apiUrl}/_local/clock`, body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) });
  const before = (await (await clock()).json()) as { now: string; offset_ms: number };
  const advanced = (await (await clock({ advance_ms: 5_000 })).json()) as { now: string; offset_ms: number };
  expect(advanced.offset_ms - before.offset_ms).toBe(5_000);
  const jumped = (await (await clock({ jump: true })).json()) as { moved_ms: number };
  expect(jumped.moved_ms).toBeGreaterThan(0);
  for (const faulty of [{ advance_ms: -1 }, { advance_ms: 0.5 }, { jump: false }, {}])
    expect((await clock(faulty)).status).toBe(400);
});

test('our verification and the standardwebhooks package agree', () => {
  const nowMs = Date.parse('2026-11-21T12:00:00.900Z');
  vi.useFakeTimers({ now: nowMs, toFake: ['Date'] });
  try {
    const good = signed(SECRET, nowMs);
    const cases: [Record<string, string>, string][] = [
      [good, BODY],
      [signed(OTHER, nowMs), BODY],
      [good, `${BODY} `],
      [{ ...good, 'webhook-id': 'msg_2' }, BODY],
      [{ ...good, 'webhook-timestamp': '1' }, BODY],
      [{ ...good, 'webhook-timestamp': 'soon' }, BODY],
      [{ ...good, 'webhook-signature': good['webhook-signature']!.replace('v1,', 'v2,') }, BODY],
      [{ ...good, 'webhook-signature': `v1,AAAA v1a,x ${good['webhook-signature']}` }, BODY],
      [{ 'webhook-id': 'msg_1' }, BODY],
      ...[-300_000, -301_000, 300_000, 301_000].map((shift): [Record<string, string>, string] => [
        signed(SECRET, nowMs + shift),
        BODY,
      ]),
    ];
    for (const [headers, body] of cases) {
      let theirs = true;
      try {
        new Webhook(SECRET).verify(Buffer.from(body), headers);
      } catch {
        theirs = false;
      }
      expect(verifyWebhook([SECRET], headers, Buffer.from(body), nowMs).verified, JSON.stringify(headers)).toBe(theirs);
    }
  } finally {
    vi.useRealTimers();
  }
});
