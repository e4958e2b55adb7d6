/** The currency of an account comes from its balances; the one in its movements may be wrong or missing. */
import { expect, it } from 'vitest';
import {
  findBalances,
  mapCurrencies,
  withAccountCurrency,
  withCurrencyField,
} from '../../../dashboard/src/data/account-currencies.ts';
import { chooseChart, type FlowChart } from '../../../dashboard/src/data/charts/chart-of.ts';
import { allAccounts, sumFlows } from '../../../dashboard/src/data/charts/sum-flows.ts';
import { findResource } from '../../../dashboard/src/data/find-resource.ts';
import { RESOURCES } from '../../../dashboard/src/data/resources.gen.ts';

const CURRENCIES = mapCurrencies([
  { numero_cuenta: '1', currency: 'CLP' },
  { numero_cuenta: '2', currency: 'USD' },
  { numero_cuenta: '3', currency: 'CLP' },
  { numero_cuenta: '3', currency: 'USD' },
]);

it('comes from balances, unless two balances differ', () => {
  expect([...CURRENCIES]).toEqual([
    ['1', 'CLP'],
    ['2', 'USD'],
  ]);
});

it('is read for every scope with movements of accounts, from the balances of its own source', () => {
  const read = RESOURCES.flatMap((each) => {
    const balances = findBalances(each);
    return balances ? [[`${each.source}.${each.scope}`, `${balances.source}.${balances.scope}`]] : [];
  });
  expect(read).toEqual([
    ['bankone.movements', 'bankone.balances'],
    ['bankthree.movements', 'bankthree.balances'],
    ['banktwo.movements', 'banktwo.balances'],
  ]);
});

it('replaces what a closed statement reports, and stays if movements have no currency', () => {
  const row = (numero_cuenta: string, currency?: string) => ({ numero_cuenta, ...(currency ? { currency } : {}) });
  expect(withAccountCurrency(row('2', 'CLP'), CURRENCIES)).toEqual(row('2', 'USD'));
  expect(withAccountCurrency(row('2'), CURRENCIES)).toEqual(row('2', 'USD'));
  expect(withAccountCurrency(row('3', 'CLP'), CURRENCIES)).toEqual(row('3', 'CLP'));
  expect(withAccountCurrency(row('4'), CURRENCIES)).toEqual(row('4'));
});

it('is a separate column, once, also for rows without a currency', () => {
  for (const scope of ['banktwo', 'bankone', 'bankthree'].map((source) => findResource(source, 'movements')!)) {
    const names = withCurrencyField(scope).fields.map(({ name }) => name);
    expect(names.filter((name) => name === 'currency')).toHaveLength(1);
    expect(names.indexOf('currency')).toBe(names.indexOf('numero_cuenta') + 1);
  }
});

it('keeps dollars and pesos of bank two apart, also over all accounts', () => {
  const chart = chooseChart(findResource('banktwo', 'movements')!) as FlowChart;
  const row = (numero_cuenta: string, amount: string) => ({
    period: '2026-10',
    direction: 'received',
    numero_cuenta,
    amount,
  });
  const sums = sumFlows(chart);
  sums.add([row('1', '1000000'), row('2', '20.50')].map((each) => withAccountCurrency(each, CURRENCIES)));
  expect(allAccounts(sums.result()).map(({ currency, amount }) => `${amount} ${currency}`)).toEqual([
    '1000000 CLP',
    '20.5 USD',
  ]);
});
