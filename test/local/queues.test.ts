import type { SQSRecord } from 'aws-lambda';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTinyStack, type TinyStack } from './tiny-stack.ts';

const VISIBILITY_MS = 60_000;

let shared: TinyStack;
beforeAll(async () => {
  shared = await startTinyStack();
});
afterAll(() => shared.close());

interface Seen {
  body: string;
  receives: number;
  /** Milliseconds since the epoch, by the function's own clock. */
  at: number;
  record: SQSRecord;
}

/** Messages with this ending that the worker received. */
const seen = (stack: TinyStack, ending: string): Seen[] =>
  stack.lines<Seen>('worker').filter(({ body }) => body.endsWith(ending));
const bodies = (ending: string): string[] => seen(shared, ending).map(({ body, receives }) => `${body}#${receives}`);

test('records have AWS’s shape', async () => {
  await shared.send('ok "ñ" shape');
  await shared.jumps.settle();
  const [{ record }] = seen(shared, 'shape') as [Seen];
  expect(record).toEqual({
    messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    receiptHandle: expect.any(String),
    body: 'ok "ñ" shape',
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: expect.stringMatching(/^\d{13}$/),
      SenderId: expect.any(String),
      ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
    },
    messageAttributes: {},
    md5OfBody: expect.stringMatching(/^[0-9a-f]{32}$/),
    eventSource: 'aws:sqs',
    eventSourceARN: shared.model.mappings[0]?.queueArn,
    awsRegion: 'us-east-1',
  });
});

test('what failed keeps its visibility, comes again when that ends, and then goes to the dead letters', async () => {
  const later = async (ms: number) => {
    shared.clock.advance(ms);
    await shared.jumps.settle();
  };
  for (const body of ['ok one', 'fail one', 'ok too one']) await shared.send(body);
  await later(0);
  expect(bodies('one').sort()).toEqual(['fail one#1', 'ok one#1', 'ok too one#1']);
  await later(VISIBILITY_MS - 20_000);
  expect(bodies('one')).toHaveLength(3);
  await later(20_000);
  expect(bodies('one').slice(3)).toEqual(['fail one#2']);
  const isDead = async () => (await shared.deadLetters()).some(({ Body }) => Body === 'fail one');
  expect(await isDead()).toBe(false);
  await later(VISIBILITY_MS);
  expect(await isDead()).toBe(true);
  expect(bodies('one')).toHaveLength(4);
});

test.each(['throw', 'unknown'])('%s: the whole batch returns', async (kind) => {
  await shared.send(`${kind} whole`);
  await shared.jumps.settle();
  shared.clock.advance(VISIBILITY_MS);
  await shared.jumps.settle();
  expect(bodies(`${kind} whole`)).toEqual([`${kind} whole#1`, `${kind} whole#2`]);
});

test('a delayed message is never early, however the clock jumps', async () => {
  const sentAtMs = shared.clock.nowMs();
  await shared.send('ok later', 900);
  for (const ms of [1, 400_000, 400_000]) {
    shared.clock.advance(ms);
    await shared.jumps.settle();
    expect(bodies('ok later')).toEqual([]);
  }
  shared.clock.advance(99_999);
  await shared.jumps.settle();
  expect(bodies('ok later')).toEqual(['ok later#1']);
  expect((seen(shared, 'ok later')[0] as Seen).at).toBeGreaterThanOrEqual(sentAtMs + 900_000);
});

test('stepwise, every due time on the way is worked at', async () => {
  const ticksBefore = shared.lines('tick').length;
  const fromMs = shared.clock.nowMs();
  await shared.send('ok stepwise', 90);
  await shared.jumps.walk(180_000);
  expect(bodies('stepwise')).toEqual(['ok stepwise#1']);
  const [{ at }] = seen(shared, 'stepwise') as [Seen];
  expect(at).toBeGreaterThanOrEqual(fromMs + 90_000);
  // At its own time, not at the end of the walk.
  expect(at).toBeLessThan(fromMs + 150_000);
  expect(shared.lines('tick').length - ticksBefore).toBeGreaterThanOrEqual(3);
});

test('at least once: with the switch every message is delivered twice', async () => {
  const stack = await startTinyStack({ environment: { LOCAL_AT_LEAST_ONCE: '1' } });
  try {
    const sent = Array.from({ length: 12 }, (_, index) => `${index} ok`);
    for (const body of sent) await stack.send(body);
    await stack.jumps.settle();
    expect(seen(stack, 'ok')).toHaveLength(24);
    for (const body of sent) expect(seen(stack, 'ok').filter((each) => each.body === body)).toHaveLength(2);
    expect(await stack.deadLetters()).toEqual([]);
  } finally {
    await stack.close();
  }
});

test('a switch out of range stops the start', async () => {
  await expect(startTinyStack({ environment: { LOCAL_AT_LEAST_ONCE: '2' } })).rejects.toThrow('between 0 and 1');
});
