/** The address contains the state of a table: which parts are filters, and which mistyped values are ignored. */
import { describe, expect, it } from 'vitest';
import { type Filter, filterQuery, readPage, withFilter, withoutFilters } from '../../../dashboard/src/data/filters.ts';

const filter = (name: string): Filter => ({ name, kind: 'text', values: [], maxLength: undefined, example: undefined });
const FILTERS = [filter('period'), filter('direction')];
const address = (text: string) => new URLSearchParams(text);

describe('filterQuery', () => {
  it('sends what the scope knows and nothing else', () => {
    const query = filterQuery(FILTERS, address('direction=issued&view=charts&row=1&offset=50&period='));
    expect(String(query)).toBe('direction=issued');
  });
});

describe('pageOf', () => {
  it('takes a page as the address says', () => {
    expect(readPage(address('limit=200&offset=400'))).toEqual({ limit: 200, offset: 400 });
  });

  it.each(['', 'limit=7&offset=-1', 'limit=abc&offset=1.5', 'offset=99999999999'])(
    'takes the first page of %s',
    (text) => {
      expect(readPage(address(text))).toEqual({ limit: 50, offset: 0 });
    },
  );
});

describe('withFilter', () => {
  it('begins at the first row, and closes the row that was open', () => {
    const next = withFilter(address('period=2026-10&offset=50&row=1&view=charts'), 'direction', 'issued');
    expect(String(next)).toBe('period=2026-10&view=charts&direction=issued');
  });

  it('takes a filter away', () => {
    expect(String(withFilter(address('period=2026-10&direction=issued'), 'period', ''))).toBe('direction=issued');
  });
});

describe('withoutFilters', () => {
  it('takes every filter away and nothing else but the page', () => {
    const next = withoutFilters(
      FILTERS,
      address('period=2026-10&direction=issued&offset=50&view=charts&codigo=1-2-LE25'),
    );
    expect(String(next)).toBe('view=charts&codigo=1-2-LE25');
  });
});
