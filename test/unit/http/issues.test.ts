import { expect, test } from 'vitest';
import * as z from 'zod';
import { fieldName, judge } from '#shared/http/request/issues.ts';
import { dayRange, page } from '#shared/scopes/scope.ts';
import { day, period } from '#shared/values/fields.ts';

const finding = (schema: z.ZodType, value: unknown, judged = {}) => judge(schema, value, judged).finding;

test.each([
  [0, 'limit must be between 1 and 200'],
  [201, 'limit must be between 1 and 200'],
  ['5x', 'limit must be between 1 and 200'],
  [1.5, 'limit must be between 1 and 200'],
  ['', 'limit must be between 1 and 200'],
])('limit %j: %s', (limit, text) => {
  expect(finding(z.object(page), { limit })).toBe(text);
});

test.each([
  [z.object({ a: z.string() }), {}, 'a is required'],
  [z.object({ a: z.string() }), { a: 7 }, 'a must be a string'],
  [z.object({ a: z.string() }), { a: null }, 'a must be a string'],
  [z.object({ a: z.boolean() }), { a: 'yes' }, 'a must be true or false'],
  [z.object({ a: z.int().min(3) }), { a: 1 }, 'a must be an integer of at least 3'],
  [z.object({ a: z.number() }), { a: 'x' }, 'a must be a number'],
  [z.object({ a: z.string().max(3) }), { a: 'long' }, 'a must have at most 3 characters'],
  [z.object({ a: z.array(z.string()).min(1) }), { a: [] }, 'a must have at least 1 items'],
  [z.object({ a: z.array(z.string()) }), { a: ['x', 1] }, 'a[1] must be a string'],
  [z.object({ a: z.enum(['x', 'y']) }), { a: 'z' }, 'a must be one of x, y'],
  [z.object({ a: z.literal(true) }), { a: false }, 'a must be true'],
  [z.strictObject({ a: z.string() }), { a: 'x', b: 1 }, 'b is not a known property. Known: a'],
  [z.strictObject({ a: z.strictObject({}) }), { a: { b: 1 } }, 'a.b is not a known property'],
  [z.object({ from: day() }), { from: '2026-02-30' }, 'from must be a date of the form YYYY-MM-DD that exists'],
  [z.object(dayRange('x')), { to: 'x' }, 'to must be a date of the form YYYY-MM-DD that exists'],
  [z.object({ p: period() }), { p: '2026-13' }, 'p must be a period of the form YYYY-MM'],
  [
    z.object({ a: z.iso.datetime({ offset: true }) }),
    { a: 'x' },
    'a must be an ISO 8601 date-time with seconds and offset',
  ],
  [z.object({ a: z.string() }), 'text', 'body must be an object'],
  [z.object({ a: z.string(), b: z.string() }), {}, 'a is required; b is required'],
])('%#: the field and its rule', (schema, value, text) => {
  expect(finding(schema, value)).toBe(text);
});

test('a prefix names the part of the body that has its own schema', () => {
  const schema = z.strictObject({ rut: z.string().refine(() => false, 'must be a RUT') });
  expect(finding(schema, { rut: 'x' }, { at: ['credentials'] })).toBe('credentials.rut must be a RUT');
  expect(finding(schema, { rut: 1, extra: 1 }, { at: ['credentials'] })).toBe(
    'credentials.rut must be a string; credentials.extra is not a known property. Known: rut',
  );
  expect(finding(z.int().max(3), 9, { at: ['n'] })).toBe('n must be an integer of at most 3');
});

test('values never appear, and neither do property names that may be values', () => {
  const canary = 'canary p4ssw0rd!';
  const schema = z.strictObject({
    a: z.string().max(3),
    b: z.enum(['x', 'y']),
    c: z.int(),
    d: z.iso.date(),
    e: z.string().regex(/^x$/),
    f: z.url(),
  });
  const sent = { a: canary, b: canary, c: canary, d: canary, e: canary, f: canary, [canary]: canary };
  expect(finding(schema, sent)).not.toContain('canary');
  expect(fieldName([canary])).toBe('?');
  expect(fieldName(['a'.repeat(65)])).toBe('?');
});

test('at most five findings', () => {
  const shape = Object.fromEntries([...'abcdefgh'].map((name) => [name, z.string()]));
  expect(finding(z.object(shape), {})?.split('; ')).toHaveLength(5);
});
