/** Facets in the key of a row, statements that replace one another, and the index of many accounts. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildIndex, countRows } from '#shared/rows/index/page-index.rules.ts';
import { facetCombinations, joinFacets, wantedFacets } from '#shared/rows/item/facets.ts';
import { packIndex, unpackIndex } from '#shared/rows/item/page-index-codec.ts';
import { rowSortKey } from '#shared/rows/item/row-keys.ts';
import { accountKey, admissible, replacedRows } from '#shared/values/statements.ts';

describe('facets', () => {
  const open = { facets: {}, openFacets: ['account', 'currency'] };

  test('any two account names are distinguished and found again', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        fc.constantFrom('CLP', 'USD'),
        (a, b, currency) => {
          const of = joinFacets(open, { account: a, currency });
          const other = joinFacets(open, { account: b, currency });
          expect(of === other).toBe(a === b);
          expect(wantedFacets(open, [of, other], { currency }).size).toBe(a === b ? 1 : 2);
          expect(wantedFacets(open, [of, other], { account: a })).toEqual(new Set([of]));
          expect(wantedFacets(open, [of], { currency: 'EUR' }).size).toBe(0);
        },
      ),
    );
  });

  test('closed ones have known combinations', () => {
    const closed = { facets: { direction: ['received', 'issued'], estado: ['registro', 'no_incluir'] } };
    expect(joinFacets(closed, { direction: 'issued', estado: 'no_incluir' })).toBe('issued.no_incluir');
    expect(facetCombinations(closed.facets)).toHaveLength(4);
    expect([...wantedFacets(closed, facetCombinations(closed.facets), { estado: 'registro' })]).toEqual([
      'received.registro',
      'issued.registro',
    ]);
    expect([joinFacets({ facets: {} }, {}), ...facetCombinations({})]).toEqual(['all', 'all']);
  });
});

describe('statements', () => {
  const row = (id: string, account: string, isOpen: boolean) => ({ id, statement: { account, isOpen } });

  test('a closed one replaces the rows of its account that it does not show, open or closed, and no other row', () => {
    const stored = [row('a', '1', true), row('b', '1', true), row('c', '2', true), row('d', '1', false)];
    const incoming = [row('a', '1', false)];
    expect(replacedRows(stored, incoming, ['001'])).toEqual([stored[1], stored[3]]);
    expect(replacedRows(stored, incoming, [])).toEqual([]);
    expect(replacedRows(stored, [], ['2'])).toEqual([stored[2]]);
    expect(replacedRows([{ id: 'x', statement: null }], [], ['1'])).toEqual([]);
  });

  test('an open one no longer applies to an account that is closed', () => {
    const stored = [row('a', '1', false), row('c', '2', true)];
    const incoming = [row('a', '1', true), row('e', '1', true), row('f', '2', true), row('g', '1', false)];
    expect(admissible(stored, incoming, { isOver: true })).toEqual([incoming[2], incoming[3]]);
    expect(admissible(stored, incoming, { isOver: false })).toEqual(incoming);
    const plain = { id: 'x', statement: null };
    expect(admissible(stored, [plain], { isOver: true })).toEqual([plain]);
  });

  test('an account is the same with and without dashes, blanks and leading zeros', () => {
    expect(['0-000-0456789-1', '04567891', '456 7891'].map(accountKey)).toEqual(Array(3).fill('4567891'));
    expect(accountKey('000')).toBe('0');
  });
});

test('an index of more facets than a byte counts survives packing', () => {
  const rows = Array.from({ length: 600 }, (_, n) => ({
    facets: `account-${n % 300}`,
    sortKey: rowSortKey('2026-10-01', null, `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`),
  }));
  const index = buildIndex(rows, 32);
  const again = unpackIndex(packIndex(index), index.facets);
  expect(again).toEqual(index);
  expect(countRows(again, new Set(['account-299']), { from: null, to: null })).toBe(2);
  expect(() => unpackIndex(packIndex(index), index.facets.slice(0, 299 - 255))).toThrow('unknown form');
});
