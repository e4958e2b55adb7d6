import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cursorParts, cursorText } from '#shared/values/cursor-text.ts';
import { runs } from '#test/helpers/effort.ts';

const OTHERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~%'];
const CURSOR = [1, 'epoch', '0190a5a3-0000-7000-8000-000000000000', null, { rcv: [12, 9_007, 'd', null], boletas: 7 }];

test('a cursor gives its parts back', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (parts) => {
      expect(cursorParts(cursorText(parts))).toEqual(JSON.parse(JSON.stringify(parts)));
    }),
    { numRuns: runs(500) },
  );
});

test('no cursor with one other, one missing or one more character is read', () => {
  const cursor = cursorText(CURSOR);
  for (let at = 0; at < cursor.length; at++) {
    for (const other of OTHERS) {
      const changed = cursor.slice(0, at) + other + cursor.slice(at + 1);
      if (other !== cursor[at]) expect(cursorParts(changed), changed).toBeUndefined();
      expect(cursorParts(cursor.slice(0, at) + other + cursor.slice(at)), `${at} ${other}`).toBeUndefined();
    }
    expect(cursorParts(cursor.slice(0, at) + cursor.slice(at + 1)), String(at)).toBeUndefined();
  }
});

test('a cursor that was issued without a checksum is still read', () => {
  const old = Buffer.from(JSON.stringify(CURSOR)).toString('base64url');
  expect(cursorParts(old)).toEqual(CURSOR);
  const checksum = createHash('sha256').update(old).digest('base64url').slice(0, 6);
  expect(cursorText(CURSOR)).toBe(`${old}.${checksum}`);
});
