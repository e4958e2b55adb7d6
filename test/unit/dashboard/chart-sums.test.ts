/** Data of the charts: exact sums by month, and the closing balance of each day. */
import Big from 'big.js';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseChart, type FlowChart } from '../../../dashboard/src/data/charts/chart-of.ts';
import { movementBalances, observedBalances } from '../../../dashboard/src/data/charts/day-balances.ts';
import { allAccounts, sumFlows } from '../../../dashboard/src/data/charts/sum-flows.ts';
import { findResource } from '../../../dashboard/src/data/find-resource.ts';
import type { Row } from '../../../dashboard/src/data/resource.ts';

const chart = (source: string, scope: string) => chooseChart(findResource(source, scope)!);
const flows = (source: string, scope: string, rows: Row[]) => {
  const sums = sumFlows(chart(source, scope) as FlowChart);
  sums.add(rows);
  return sums.result();
};

describe('chartOf', () => {
  it('draws balances where rows are observations, flows where they have a month and an amount, else nothing', () => {
    expect(chart('bankone', 'balances')).toEqual({ kind: 'balances' });
    expect(chart('tax', 'rcv')).toMatchObject({ amount: 'total_amount', isSigned: false, counted: null });
    expect(chart('tax', 'boletas')).toMatchObject({ counted: 'total_documentos' });
    expect(chart('banktwo', 'movements')).toMatchObject({ isSigned: true, balanceDay: 'fecha_movimiento' });
    expect(chart('bankone', 'transfers')).toMatchObject({ isSigned: false, balanceDay: null });
    expect(chart('procurement', 'ofertas')).toBeNull();
  });
});

describe('sumFlows', () => {
  it('adds decimals as decimals, oldest month first', () => {
    const row = (period: string, total_amount: string | null) => ({
      period,
      direction: 'issued',
      currency: 'CLP',
      total_amount,
    });
    const rows = [
      row('2026-10', '0.1'),
      row('2026-10', '0.2'),
      row('2026-09', '9007199254740993'),
      row('2026-09', null),
    ];
    expect(flows('tax', 'rcv', rows)).toEqual([
      { period: '2026-09', direction: 'issued', currency: 'CLP', account: '', count: 2, amount: '9007199254740993' },
      { period: '2026-10', direction: 'issued', currency: 'CLP', account: '', count: 2, amount: '0.3' },
    ]);
  });

  it('takes credit notes away', () => {
    const row = (document_type: string, total_amount: string) => ({
      period: '2026-10',
      direction: 'received',
      document_type,
      total_amount,
    });
    const [sum] = flows('tax', 'rcv', [
      row('33', '1000'),
      row('61', '300'),
      row('60', '1'),
      row('56', '20'),
      row('112', '4'),
    ]);
    expect(sum).toMatchObject({ count: 5, amount: '715' });
  });

  it('makes money out positive, for its direction says it', () => {
    const rows = [
      { period: '2026-10', direction: 'issued', amount: '-500', tipo: 'C' },
      { period: '2026-10', direction: 'received', amount: '80', tipo: 'A' },
    ];
    expect(flows('banktwo', 'movements', rows).map(({ direction, amount }) => `${direction} ${amount}`)).toEqual([
      'issued 500',
      'received 80',
    ]);
    expect(flows('bankone', 'transfers', [{ period: '2026-10', direction: 'issued', amount: '70' }])[0]?.amount).toBe(
      '70',
    );
  });

  it('counts receipts, not days, and never mixes currencies', () => {
    const day = { period: '2026-10', document_type: '39', total_amount: '100', total_documentos: 12 };
    expect(flows('tax', 'boletas', [day, day])[0]).toMatchObject({ count: 24, amount: '200', direction: '' });
    const transfer = (currency: string) => ({ period: '2026-10', direction: 'issued', amount: '5', currency });
    expect(flows('bankone', 'transfers', [transfer('USD'), transfer('CLP')])).toHaveLength(2);
  });
});

it('keeps accounts apart until the user combines them', () => {
  const row = (numero_cuenta: string, amount: string) => ({
    period: '2026-10',
    direction: 'received',
    currency: 'CLP',
    numero_cuenta,
    amount,
  });
  const found = flows('bankone', 'movements', [row('2', '5'), row('1', '10'), row('2', '0.5')]);
  expect(found.map(({ account, count, amount }) => [account, count, amount])).toEqual([
    ['1', 1, '10'],
    ['2', 2, '5.5'],
  ]);
  expect(allAccounts(found)).toMatchObject([{ account: '', count: 3, amount: '15.5' }]);
});

describe('observedBalances', () => {
  it('takes the last observation of a day in Santiago', () => {
    const row = (observed_at: string, saldo_contable: string | null) => ({
      numero_cuenta: '1',
      currency: 'CLP',
      observed_at,
      saldo_contable,
    });
    const balances = observedBalances();
    balances.add([
      row('2026-10-15T02:00:00.000Z', '30'),
      row('2026-10-14T12:00:00.000Z', '20'),
      row('2026-10-13T12:00:00.000Z', null),
    ]);
    expect(balances.result()).toEqual([{ day: '2026-10-14', account: '1', currency: 'CLP', balance: '30' }]);
  });
});

describe('movementBalances', () => {
  it('finds the closing balance of a day, for any order of its movements', () => {
    void fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        (amounts, opening) => {
          let balance = Big(opening);
          const rows = amounts.map((amount) => {
            balance = balance.plus(amount);
            return {
              fecha_movimiento: '2026-10-14',
              numero_cuenta: '1',
              currency: 'CLP',
              amount: String(amount),
              saldo_contable: balance.toFixed(2),
            };
          });
          const balances = movementBalances('fecha_movimiento');
          balances.add(rows.toReversed());
          const [found] = balances.result();
          // A day with equal opening and closing balance does not reveal its order: it may be left out, but never be
          // wrong.
          if (balance.eq(opening)) expect(found).toBeUndefined();
          else expect(found?.balance).toBe(balance.toFixed());
        },
      ),
    );
  });

  it('leaves a day with a gap out', () => {
    const row = (amount: string, saldo_contable: string) => ({
      fecha_movimiento: '2026-10-14',
      numero_cuenta: '1',
      currency: 'CLP',
      amount,
      saldo_contable,
    });
    const balances = movementBalances('fecha_movimiento');
    balances.add([row('10', '110'), row('5', '505')]);
    expect(balances.result()).toEqual([]);
  });
});
