import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findHits, packSearch, type SearchRow, searchDigest } from '#shared/rows/index/search-index.rules.ts';
import { rowSortKey } from '#shared/rows/item/row-keys.ts';
import { rowMatcher, searchText, textMatcher } from '#shared/values/search-text.ts';

const finds = (q: string, name: string | null, folio: string | null, rut: string | null): boolean =>
  textMatcher(q)(searchText([name, folio], [rut]));

describe('what q finds', () => {
  test.each([
    ['ñandu', 'COMERCIAL ÑANDÚ SPA'],
    ['NANDU', 'Comercial ñandú spa'],
    ['Ú S', 'ñandu spa'],
    ['s.p.a.', 'Andes S.P.A.'],
    ['straße', 'STRAßE 7'],
    [' ', 'a b'],
  ])('%j in %j', (q, name) => {
    expect(finds(q, name, null, null)).toBe(true);
  });

  test.each(['76543210', '43210k', '76543210K', '76.543.210-K', '210-k', '6.54'])('the RUT by %s', (q) => {
    expect(finds(q, 'X', '1', '76543210-K')).toBe(true);
  });

  test('the folio, but never over the edge of a field', () => {
    expect(finds('771', 'X', '17710', null)).toBe(true);
    expect(finds('x1', 'X', '1', null)).toBe(false);
    expect(finds('12', 'X', '1', '2-7')).toBe(false);
    expect(finds('-', 'X', '1', '76543210-K')).toBe(false);
    expect(finds('\u0001', 'X', '1', '2')).toBe(false);
    expect(finds('\n', 'X\nY', '1', null)).toBe(false);
  });

  test('nothing in a row without any of them', () => {
    expect(finds('a', null, null, null)).toBe(false);
  });
});

const day = fc.option(fc.integer({ min: 1, max: 28 }).map((n) => `2026-10-${String(n).padStart(2, '0')}`));
const instant = fc.option(
  fc.integer({ min: 1, max: 86_399 }).map((s) => new Date(1_790_000_000_000 + s * 1000).toISOString()),
);
const rows = fc
  .uniqueArray(
    fc.record({
      id: fc.uuid(),
      facets: fc.constantFrom('received', 'issued', 'x.%2E'),
      day,
      instant,
      name: fc.string(),
    }),
    { selector: ({ id }) => id, maxLength: 60 },
  )
  .map((list) =>
    list.map(
      (row): SearchRow => ({
        facets: row.facets,
        sortKey: rowSortKey(row.day, row.instant, row.id),
        searchText: searchText([row.name, 'ñu'], []),
      }),
    ),
  );

test('packed rows are found where they are, in list order, however they are cut', () => {
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 3_000 }), fc.string({ maxLength: 2 }), (list, bytesMax, q) => {
      const asked = textMatcher(q);
      const wanted = (facets: string, on: string) => facets !== 'issued' && on !== '0000-00-00';
      const expected = list
        .filter(({ searchText: text, facets, sortKey }) => asked(text) && wanted(facets, sortKey.slice(0, 10)))
        .sort((a, b) => (a.sortKey < b.sortKey ? 1 : -1))
        .map(({ facets, sortKey }) => ({ facets, sortKey }));
      const parts = packSearch(list, bytesMax);
      expect(parts.flatMap((part) => findHits(part, asked, wanted))).toEqual(expected);
      for (const { text, places } of parts)
        expect(text.includes('\n') && Buffer.byteLength(text) + places.byteLength > bytesMax).toBe(false);
      expect(searchDigest(packSearch([...list].reverse(), bytesMax))).toBe(searchDigest(parts));
    }),
  );
});

test('another text is another digest', () => {
  const row = { facets: 'all', sortKey: rowSortKey(null, null, '00000000-0000-4000-8000-000000000000') };
  const digest = (text: string) => searchDigest(packSearch([{ ...row, searchText: text }], 1_000));
  expect(digest('a')).not.toBe(digest('b'));
});

describe('an exact value and several tax ids', () => {
  const text = searchText(['Ñandú SpA', '33'], ['76.543.210-3', '77.000.001-K'], '61');

  test.each<[Parameters<typeof rowMatcher>[0], boolean]>([
    [{}, true],
    [{ exact: '61' }, true],
    [{ exact: '6' }, false],
    [{ exact: '33' }, false],
    [{ q: '61' }, false],
    [{ q: '33' }, true],
    [{ q: 'nandu', exact: '61' }, true],
    [{ q: 'nandu', exact: '33' }, false],
    [{ q: '77000001-k' }, true],
    [{ q: '76.543' }, true],
    [{ q: '3 7' }, false],
    [{ q: '765432103770' }, false],
    [{ q: '\u0002' }, false],
    [{ q: '\u0003' }, false],
  ])('%j: %s', (asked, isFound) => {
    expect(rowMatcher(asked)(text)).toBe(isFound);
  });

  test('a row that was packed without an exact value has none', () => {
    expect(rowMatcher({ exact: '61' })(searchText(['61'], []))).toBe(false);
    expect(rowMatcher({ exact: '', q: 'a' })(searchText(['a'], []))).toBe(true);
  });

  test('a value of the institution cannot end the exact one', () => {
    expect(rowMatcher({ exact: '6' })(searchText(['x'], [], '6\u00021'))).toBe(false);
  });
});
