/**
 * An export is complete or says that it is not: over lists of any size, also if they end or change during the export.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '#test/helpers/effort.ts';
import { apiColumns } from '../../../dashboard/src/data/export/csv-format.ts';
import { csvWriter } from '../../../dashboard/src/data/export/row-writer.ts';
import { runExport } from '../../../dashboard/src/data/export/run-export.ts';
import {
  beginning,
  ListChanged,
  PAGE_ROWS,
  type ReadPage,
  type RowPage,
} from '../../../dashboard/src/data/read-rows.ts';
import type { Field } from '../../../dashboard/src/data/resource.ts';

const FIELDS: Field[] = [{ name: 'id', kind: 'id' }];

const pageAt = (total: number, limit: number, offset: number): RowPage => {
  const size = Math.max(0, Math.min(limit, total - offset));
  return {
    data: Array.from({ length: size }, (_, index) => ({ id: String(offset + index) })),
    pagination: { total, limit, offset, has_more: offset + size < total },
  };
};

const listOf =
  (total: number): ReadPage =>
  async ({ limit, offset }) =>
    pageAt(total, limit, offset);

const paper = () => {
  const pieces: string[] = [];
  let isClosed = false;
  return {
    sink: {
      write: async (text: string | Uint8Array) => void pieces.push(String(text)),
      abort: async () => undefined,
      close: async () => {
        isClosed = true;
      },
    },
    pieces,
    lines: () => pieces.join('').split('\r\n').slice(0, -1),
    isClosed: () => isClosed,
  };
};

const plan = (readPage: ReadPage, sink: ReturnType<typeof paper>['sink']) => ({
  readPage,
  writer: csvWriter(apiColumns(FIELDS), 'standard', sink),
});

describe('runExport', () => {
  it('writes the head once and every row once, for any size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 5 * PAGE_ROWS }), async (total) => {
        const { sink, lines, isClosed } = paper();
        await runExport(plan(listOf(total), sink), beginning(), () => undefined);
        expect(lines()).toEqual(['id', ...Array.from({ length: total }, (_, index) => String(index))]);
        expect(isClosed()).toBe(true);
      }),
      { numRuns: runs(30) },
    );
  });

  it('never has more than a page in hand', async () => {
    const { sink, pieces } = paper();
    await runExport(plan(listOf(1_000), sink), beginning(), () => undefined);
    expect(pieces).toHaveLength(1_000 / PAGE_ROWS);
    expect(Math.max(...pieces.map((piece) => piece.split('\r\n').length - 1))).toBeLessThanOrEqual(PAGE_ROWS + 1);
  });

  it('reports its progress', async () => {
    const told: string[] = [];
    await runExport(plan(listOf(450), paper().sink), beginning(), ({ offset, total }) =>
      told.push(`${offset}/${total}`),
    );
    expect(told).toEqual(['200/450', '400/450', '450/450']);
  });

  it('continues after a lost answer, with no row missing or twice', async () => {
    const { sink, lines, isClosed } = paper();
    let calls = 0;
    const flaky: ReadPage = async ({ limit, offset }) => {
      calls += 1;
      if (calls % 2 === 0) throw new Error('lost');
      return pageAt(700, limit, offset);
    };
    const position = beginning();
    const interrupted = plan(flaky, sink);
    for (let tries = 0; !position.isOver; tries += 1) {
      expect(tries).toBeLessThan(10);
      await runExport(interrupted, position, () => undefined).catch(() => undefined);
    }
    expect(lines()).toHaveLength(701);
    expect(new Set(lines()).size).toBe(701);
    expect(isClosed()).toBe(true);
  });

  it.each([
    ['grows', 400, 401],
    ['shrinks', 700, 450],
  ])('refuses a list that %s under it', async (_, before, after) => {
    const { sink, isClosed } = paper();
    const changing: ReadPage = async ({ limit, offset }) => pageAt(offset === 0 ? before : after, limit, offset);
    await expect(runExport(plan(changing, sink), beginning(), () => undefined)).rejects.toThrow(ListChanged);
    expect(isClosed()).toBe(false);
  });

  it('refuses a list that says there is more and gives nothing, instead of asking for ever', async () => {
    const empty: ReadPage = async ({ limit, offset }) => ({
      data: [],
      pagination: { total: 10, limit, offset, has_more: true },
    });
    await expect(runExport(plan(empty, paper().sink), beginning(), () => undefined)).rejects.toThrow(ListChanged);
  });

  it('takes a list that comes at once, without pagination', async () => {
    const { sink, lines } = paper();
    await runExport(
      plan(async () => ({ data: [{ id: 'a' }, { id: 'b' }] }), sink),
      beginning(),
      () => undefined,
    );
    expect(lines()).toEqual(['id', 'a', 'b']);
  });
});
