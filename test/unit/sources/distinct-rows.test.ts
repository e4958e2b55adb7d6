import { describe, expect, test } from 'vitest';
import { distinctRows } from '#shared/sources/truth/distinct-keys.ts';

/** Up to this number, rows are stored whole; later rows are stored as digests. */
const WHOLE = 20_000;
const ROWS = WHOLE + 10;

const rowOf = (n: number, amount = String(n)) => ({ folio: String(n), amount, name: null });

describe.each([
  ['held whole', 0],
  ['the last one held whole', WHOLE - 1],
  ['the first one held as a digest', WHOLE],
  ['held as a digest', ROWS - 1],
])('a row that is %s', (_, n) => {
  const taken = () => {
    const rows = distinctRows('a row');
    for (let at = 0; at < ROWS; at++) expect(rows.take(String(at), rowOf(at), 'answer', at)).toBe(true);
    return rows;
  };

  test('is one row, however often it comes', () => {
    const rows = taken();
    expect([rows.take(String(n), rowOf(n), 'answer', 1), rows.size]).toEqual([false, ROWS]);
  });

  test('is refused with other contents, by its position', () => {
    expect(() => taken().take(String(n), rowOf(n, 'other'), 'answer', 7)).toThrow(
      'answer, row 7: a row comes twice with other contents',
    );
  });
});
