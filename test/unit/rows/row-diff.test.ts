/** When a row counts as changed. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentHash } from '#shared/rows/item/row-diff.rules.ts';

const ROW = { folio: '1', total_amount: '1000' };
const reversed = (raw: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(raw).toReversed());

test('fields that the source reorders change nothing', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-zA-Z]{1,8}$/), fc.jsonValue(), { minKeys: 2 }), (raw) => {
      expect(contentHash(ROW, reversed(raw))).toBe(contentHash(ROW, raw));
    }),
  );
});

test('another value, another name or another parsed field is another content', () => {
  const hash = contentHash(ROW, { a: 1, b: 2 });
  for (const [row, raw] of [
    [ROW, { a: 1, b: 3 }],
    [ROW, { a: 2, b: 1 }],
    [ROW, { a: 1, c: 2 }],
    [ROW, { a: 1 }],
    [
      { ...ROW, folio: '2' },
      { a: 1, b: 2 },
    ],
  ] as const)
    expect(contentHash(row, raw)).not.toBe(hash);
});
