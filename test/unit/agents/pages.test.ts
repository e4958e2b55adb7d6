import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AGENT_SCOPES } from '#shared/mcp/agent-scopes.ts';
import { cursorAt, parseOffset } from '#shared/mcp/cursor.rules.ts';
import { countBytes, fitting } from '#shared/mcp/fit.rules.ts';
import { buildQuestion, findStart, fittingPage } from '#shared/mcp/pages.ts';
import { columnsShown, shownRow } from '#shared/mcp/shown-rows.ts';
import { runs } from '#test/helpers/effort.ts';

const AGENT = { organizationId: 'o', credentialId: 'c', kind: 'key' } as const;
const BYTES_MAX = 8_192;

describe('a cursor', () => {
  it('leads back to its offset, only for its own question', () => {
    fc.assert(
      fc.property(fc.nat(), fc.array(fc.jsonValue()), fc.array(fc.jsonValue()), (offset, question, other) => {
        const cursor = cursorAt(offset, question);
        expect(parseOffset(cursor, question)).toBe(offset);
        if (JSON.stringify(question) !== JSON.stringify(other)) expect(parseOffset(cursor, other)).toBeNull();
        expect(cursor.length).toBeLessThanOrEqual(64);
      }),
      { numRuns: runs(100) },
    );
  });

  it('is refused in any other form', () => {
    const cursor = cursorAt(20, ['q']);
    for (const other of ['', '20', cursor.slice(1), `0${cursor}`, `-${cursor}`, `${cursor} `, `1e3${cursor.slice(2)}`])
      expect(parseOffset(other, ['q'])).not.toBe(20);
    for (const other of ['', '20', `0${cursor}`, `-${cursor}`, `${cursor} `])
      expect(parseOffset(other, ['q'])).toBeNull();
  });

  it('of another organization, tool or filter is refused with a finding', () => {
    const question = buildQuestion(AGENT, 'search_rows', 'connection', undefined);
    const cursor = cursorAt(3, question);
    expect(findStart(cursor, question)).toBe(3);
    expect(findStart(undefined, question)).toBe(0);
    for (const other of [
      buildQuestion({ ...AGENT, organizationId: 'p' }, 'search_rows', 'connection', undefined),
      buildQuestion(AGENT, 'list_periods', 'connection', undefined),
      buildQuestion(AGENT, 'search_rows', 'connection', '2026-10'),
    ])
      expect(() => findStart(cursor, other)).toThrow('another question');
  });
});

const item = fc.record({ text: fc.string({ unit: 'binary', maxLength: 900 }) });

describe('a page', () => {
  it('holds whole items from the first on, exactly as many as fit', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 40 }), fc.integer({ min: 0, max: 500 }), (items, emptyBytes) => {
        const count = fitting(items, emptyBytes, BYTES_MAX);
        const bytes = (n: number) => countBytes(items.slice(0, n)) - countBytes([]) + emptyBytes;
        expect(bytes(count)).toBeLessThanOrEqual(BYTES_MAX);
        if (count < items.length) expect(bytes(count + 1)).toBeGreaterThan(BYTES_MAX);
      }),
      { numRuns: runs(100) },
    );
  });

  it('together with its pages gives every item once, each page within the limit', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 60 }), (all) => {
        const question = ['q'];
        const found: unknown[] = [];
        let cursor: string | null = cursorAt(0, question);
        for (let pages = 0; cursor !== null; pages++) {
          expect(pages).toBeLessThanOrEqual(all.length + 1);
          const offset = findStart(cursor, question);
          const slice = { items: all.slice(offset), offset, total: all.length };
          const page: { items: readonly unknown[]; next: string | null } = fittingPage(
            slice,
            question,
            (items, next) => ({
              items,
              next,
            }),
          );
          expect(countBytes(page)).toBeLessThanOrEqual(BYTES_MAX);
          found.push(...page.items);
          cursor = page.next;
        }
        expect(found).toEqual(all);
      }),
      { numRuns: runs(50) },
    );
  });

  it('refuses an item that no page could hold, instead of a cursor that leads nowhere', () => {
    const slice = { items: ['x'.repeat(9_000)], offset: 0, total: 1 };
    expect(() => fittingPage(slice, ['q'], (items, next) => ({ items, next }))).toThrow('larger than an answer');
  });
});

describe('a row', () => {
  it('fits, with any text of an institution', () => {
    for (const scope of AGENT_SCOPES) {
      const shown = columnsShown(scope, undefined);
      for (const text of ['"'.repeat(5_000), '💥'.repeat(5_000), '\\'.repeat(300), 'ñ'.repeat(200)]) {
        const row = Object.fromEntries(
          shown.fields.map((field) => [field, shown.untrusted.includes(field) ? text : 'x']),
        );
        expect(countBytes(shownRow(row, shown))).toBeLessThan(BYTES_MAX - 1_000);
      }
    }
  });

  it('that no shortening makes fit has only its id, and says so', () => {
    const shown = columnsShown(AGENT_SCOPES[0]!, undefined);
    const row = { id: 'row', [shown.fields[1]!]: 'y' };
    expect(shownRow(row, shown)).toMatchObject({ id: 'row' });
    const amounts = shown.fields.filter((field) => !shown.untrusted.includes(field) && field !== 'id');
    const huge = Object.fromEntries(amounts.map((field) => [field, '9'.repeat(9_000)]));
    expect(shownRow({ id: 'row', ...huge }, shown)).toEqual({ id: 'row', too_long: true });
  });

  it('has the asked columns and its id, and a refusal names those that there are', () => {
    const scope = AGENT_SCOPES.find(({ name }) => name === 'rcv')!;
    expect(columnsShown(scope, ['total_amount', 'folio'])).toEqual({
      fields: ['id', 'folio', 'total_amount'],
      untrusted: ['folio'],
    });
    expect(() => columnsShown(scope, ['folio', 'raw_row'])).toThrow('fields of rcv are id, period, direction');
  });
});
