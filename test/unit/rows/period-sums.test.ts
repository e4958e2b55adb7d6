import { Big } from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sumNet, sumRows } from '#shared/rows/read/period-sums.rules.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { runs } from '#test/helpers/effort.ts';

const VIEW = {
  sums: ['vat', 'total'],
  groups: ['direction', 'type'],
  subtracted: { type: ['61'] },
};

const cents = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map((n) => new Big(String(n)).div(100).toFixed(2));
const row = fc.record({
  direction: fc.constantFrom('issued', 'received'),
  type: fc.constantFrom('33', '61', null),
  vat: fc.option(cents),
  total: fc.oneof(cents, fc.integer({ min: 0, max: 100 })),
});

describe('sums of a month', () => {
  it('are exact, of every row in only one group, in the same order for any order of rows', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 60 }), (rows) => {
        const groups = sumRows(VIEW, rows);
        expect(groups.reduce((sum, each) => sum + each.rows, 0)).toBe(rows.length);
        for (const { group, rows: count, sums, withoutAmount } of groups) {
          const own = rows.filter(({ direction, type }) => direction === group.direction && type === group.type);
          expect(count).toBe(own.length);
          const total = own.reduce((sum, { total: amount }) => sum.plus(amount), new Big(0));
          expect(sums.total!.eq(total)).toBe(true);
          const vats = own.flatMap(({ vat }) => (vat === null ? [] : [vat]));
          expect(sums.vat!.eq(vats.reduce((sum, amount) => sum.plus(amount), new Big(0)))).toBe(true);
          expect(withoutAmount.vat ?? 0).toBe(own.length - vats.length);
          expect('total' in withoutAmount).toBe(false);
        }
        expect(sumRows(VIEW, rows.toReversed()).map(({ group }) => group)).toEqual(groups.map(({ group }) => group));
      }),
      { numRuns: runs(100) },
    );
  });

  it('net over the fields that are subtracted, and over no other', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 40 }), (rows) => {
        const nets = sumNet(VIEW, sumRows(VIEW, rows));
        expect(nets.length).toBe(new Set(rows.map(({ direction }) => direction)).size);
        for (const { group, sums } of nets) {
          expect(Object.keys(group)).toEqual(['direction']);
          const own = rows.filter(({ direction }) => direction === group.direction);
          const net = own.reduce(
            (sum, { type, total }) => (type === '61' ? sum.minus(total) : sum.plus(total)),
            new Big(0),
          );
          expect(sums.total!.eq(net)).toBe(true);
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it('have no net where nothing is subtracted, and mark what is', () => {
    const { subtracted: _, ...plain } = VIEW;
    const rows = [{ direction: 'issued', type: '61', vat: '19', total: '119' }];
    expect(sumNet(plain, sumRows(plain, rows))).toEqual([]);
    expect(sumRows(plain, rows)[0]!.isSubtracted).toBe(false);
    expect(sumRows(VIEW, rows)[0]!.isSubtracted).toBe(true);
  });

  it('take every credit note of the register off: 60, 61, 106, 112', () => {
    const types = ['33', '34', '39', '45', '46', '56', '60', '61', '106', '112', '914'];
    const rows = types.map((document_type) => ({
      direction: 'issued',
      estado: 'registro',
      document_type,
      total_amount: '1',
    }));
    const groups = sumRows(taxRcv.agent, rows);
    const marked = groups.filter(({ isSubtracted }) => isSubtracted).map(({ group }) => group.document_type);
    expect(marked.sort()).toEqual(['106', '112', '60', '61']);
    expect(sumNet(taxRcv.agent, groups)[0]!.sums.total_amount!.toFixed()).toBe('3');
  });
});
