import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { parseQuery } from '#shared/http/request/query.ts';
import { page } from '#shared/scopes/scope.ts';

const API = { basePath: '/api', path: '/connections' } as const;
const list = { ...API, query: z.strictObject({ ...page, latest: z.literal(true).optional() }) };
const loose = {
  query: z.object({ is_active: z.boolean().optional(), type: z.string().optional() }),
  basePath: '/api',
  path: '/oauth/grants',
} as const;

test.each([
  ['', { limit: 50, offset: 0 }],
  ['limit=200&offset=7', { limit: 200, offset: 7 }],
  ['limit=%31%30', { limit: 10, offset: 0 }],
  ['limit=010', { limit: 10, offset: 0 }],
  ['latest=true', { latest: true, limit: 50, offset: 0 }],
])('list?%s', (raw, query) => {
  expect(parseQuery(list, raw)).toEqual(query);
});

test.each([
  ['limit=0', 'limit must be between 1 and 200'],
  ['limit=201', 'limit must be between 1 and 200'],
  ['limit=-1', 'limit must be between 1 and 200'],
  ['limit=1.0', 'limit must be between 1 and 200'],
  ['limit=1e2', 'limit must be between 1 and 200'],
  ['limit=0x10', 'limit must be between 1 and 200'],
  ['limit=+5', 'limit must be between 1 and 200'],
  ['limit=%205', 'limit must be between 1 and 200'],
  ['limit=', 'limit must be between 1 and 200'],
  ['limit', 'limit must be between 1 and 200'],
  ['offset=-1', 'offset must be an integer of at least 0'],
  ['offset=9007199254740993', 'offset must be an integer of at least 0'],
  ['offset=99999999999999999', 'offset must be an integer of at least 0'],
  ['limit[]=5', 'limit[] is not a known query parameter. Known: limit, offset, latest.'],
  ['limit%3D5', 'limit%3D is not a known query parameter. Known: limit, offset, latest.'],
  ['<b>[]=5', '? is not a known query parameter. Known: limit, offset, latest.'],
  ['period=%ff', 'query must be UTF-8'],
  ['%c3%28=1', 'query must be UTF-8'],
  ['latest=false', 'latest must be true'],
  ['latest=1', 'latest must be true'],
  ['limits=5', 'limits is not a known query parameter. Known: limit, offset, latest.'],
  ['limit=5&limit=5', 'limit must be given once'],
  ['limit=5&__proto__=1', '__proto__ is not a known query parameter. Known: limit, offset, latest.'],
  ['%3Cscript%3E=1', '? is not a known query parameter. Known: limit, offset, latest.'],
])('list?%s is refused', (raw, message) => {
  expect(() => parseQuery(list, raw)).toThrow(
    expect.objectContaining({ code: 'validation_error', status: 400, message }),
  );
});

test('without strictness, what is unknown is ignored and the first of several counts', () => {
  expect(parseQuery(loose, 'is_active=false&x=1&type=a&type=b')).toEqual({ is_active: false, type: 'a' });
  expect(() => parseQuery(loose, 'is_active=yes')).toThrow('is_active must be true or false');
});

test('a list without parameters accepts none', () => {
  expect(parseQuery({ ...API, query: null }, '')).toBeNull();
  expect(() => parseQuery({ ...API, query: null }, 'a=1')).toThrow('a is not a known query parameter. Known: none.');
  expect(parseQuery({ ...loose, query: null }, 'a=1')).toBeNull();
});

test('any raw string either parses within bounds or is a validation error', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.webQueryParameters(), fc.constantFrom('limit=%', 'limit=%ff', '&&=')),
      (raw) => {
        try {
          const query = parseQuery(list, raw) as { limit: number; offset: number };
          expect(query.limit).toBeGreaterThanOrEqual(1);
          expect(query.limit).toBeLessThanOrEqual(200);
          expect(Number.isSafeInteger(query.offset)).toBe(true);
        } catch (error) {
          expect(error).toMatchObject({ code: 'validation_error', status: 400 });
        }
      },
    ),
  );
});

test.each(['q=%25EF%25BF%25BD', 'q=%EF%BF%BD', 'q=\ufffd'])('list?%s holds the text that it was given', (raw) => {
  const { q } = parseQuery({ ...API, query: z.strictObject({ q: z.string() }) }, raw) as { q: string };
  expect(q).toBe(new URLSearchParams(raw).get('q'));
});
