import { expect, test } from 'vitest';
import { judgeMark } from '#shared/http/idempotency.store.ts';
import { readIdempotencyKey } from '#shared/http/idempotency.ts';
import { HTTP_LIMITS } from '#shared/http/limits.ts';

const mark = { bodyHash: 'a', claimId: '1', claimedMs: 1_000, firstSeenMs: 1_000, answer: null };
const answer = { status: 201, body: '{}', headers: {}, resourceId: null };

test.each([
  ['in flight', mark, 'a', 1_000 + HTTP_LIMITS.idempotencyClaimMs - 1, 'in-progress'],
  ['lapsed', mark, 'a', 1_000 + HTTP_LIMITS.idempotencyClaimMs, 'lapsed'],
  ['released', { ...mark, claimedMs: 0 }, 'a', 61_000, 'lapsed'],
  ['answered', { ...mark, answer }, 'a', 2_000, 'kept'],
  ['answered long ago', { ...mark, answer }, 'a', 80_000_000, 'kept'],
  ['other body in flight', mark, 'b', 1_500, 'reused'],
  ['other body, lapsed', mark, 'b', 99_000, 'reused'],
  ['other body, answered', { ...mark, answer }, 'b', 1_500, 'reused'],
])('%s', (_, state, bodyHash, atMs, judged) => {
  expect(judgeMark(state, bodyHash, atMs)).toBe(judged);
});

const POST = { method: 'POST', takesIdempotencyKey: true } as const;

test.each(['k', 'with spaces ~!', 'x'.repeat(128)])('key %j is in form', (key) => {
  expect(readIdempotencyKey(POST, key)).toBe(key);
});

test.each(['', 'x'.repeat(129), 'ñ', 'a\tb', 'a\u0000'])('key %j is not: 400', (key) => {
  expect(() => readIdempotencyKey(POST, key)).toThrow(
    expect.objectContaining({ code: 'validation_error', status: 400 }),
  );
});

test('a POST whose answer must not be stored has no mark', () => {
  expect(readIdempotencyKey({ ...POST, takesIdempotencyKey: false }, 'ñ')).toBeNull();
});

test('other methods have no mark', () => {
  expect(readIdempotencyKey({ ...POST, method: 'PATCH' }, 'k')).toBeNull();
  expect(readIdempotencyKey(POST, undefined)).toBeNull();
});
