/**
 * Charts of the filtered rows. Sums are exact, so the page reads every row; if there are many rows, the page reads them
 * only after a click.
 */
import '@mantine/charts/styles.css';
import { Button, Group, NativeSelect, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Problem } from '../../problem/problem.tsx';
import { count } from '../../text/format.ts';
import type { AccountCurrencies } from '../account-currencies.ts';
import { ListChanged } from '../read-rows.ts';
import type { Row } from '../resource.ts';
import type { ScopeList } from '../scope-list.ts';
import { BalanceChart } from './balance-chart.tsx';
import type { Chart } from './chart-of.ts';
import { type DayBalance, movementBalances, observedBalances } from './day-balances.ts';
import { FlowCharts } from './flow-charts.tsx';
import { allAccounts, type Flow, sumFlows } from './sum-flows.ts';
import { chartTexts } from './texts.ts';
import { type Sums, useAllRows } from './use-all-rows.ts';

interface ChartData {
  flows: Flow[];
  balances: DayBalance[];
}

/** Value of the choice "all accounts"; no account has this number. */
const ALL = '*';

interface DrawingsProps {
  chart: Chart;
  drawn: ChartData;
  /** Currencies of the accounts; undefined if no balances report currencies. */
  currencies: AccountCurrencies | undefined;
}

const sumsOf = (chart: Chart) => (): Sums<ChartData> => {
  const flows = chart.kind === 'flows' ? sumFlows(chart) : null;
  const observed = chart.kind === 'balances' ? observedBalances() : null;
  const balances = chart.kind === 'flows' && chart.balanceDay ? movementBalances(chart.balanceDay) : observed;
  return {
    add(rows: readonly Row[]) {
      flows?.add(rows);
      balances?.add(rows);
    },
    result: () => ({ flows: flows?.result() ?? [], balances: balances?.result() ?? [] }),
  };
};

/**
 * Returns the account to draw: `ALL`, the chosen account, or the first account if the chosen account is not in the
 * list.
 */
const drawnAccount = (accounts: readonly string[], chosen: string, isSummable: boolean): string => {
  if (isSummable && chosen === ALL) return ALL;
  return accounts.includes(chosen) ? chosen : (accounts[0] ?? ALL);
};

const Drawings = ({ chart, drawn, currencies: known }: DrawingsProps) => {
  const say = chartTexts.useTexts();
  const currencies = [...new Set([...drawn.flows, ...drawn.balances].map(({ currency }) => currency))].sort();
  const [chosen, setChosen] = useState<string | null>(null);
  const [chosenAccount, setAccount] = useState('');
  // Only one currency is drawn, because amounts in two currencies cannot be summed.
  const currency = chosen ?? (currencies.includes('CLP') ? 'CLP' : (currencies[0] ?? ''));
  const inCurrency = drawn.flows.filter((flow) => flow.currency === currency);
  const accounts = [...new Set(inCurrency.map(({ account }) => account))].sort();
  // The currency in movements may be wrong, so several accounts are summed only if balances report the currency of
  // every account.
  const isSummable = accounts.length < 2 || accounts.every((each) => known?.has(each));
  const account = drawnAccount(accounts, chosenAccount, isSummable);
  const isAll = account === ALL;
  const flows = isAll ? allAccounts(inCurrency) : inCurrency.filter((flow) => flow.account === account);
  const balances = drawn.balances.filter(
    (balance) => balance.currency === currency && (isAll || balance.account === account),
  );
  if (currencies.length === 0) return <Text>{say('empty')}</Text>;
  return (
    <Stack>
      {currencies.length > 1 && (
        <NativeSelect
          label={say('currency.label')}
          value={currency}
          data={currencies.map((value) => ({ value, label: value || say('currency.none') }))}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        />
      )}
      {accounts.length > 1 && (
        <NativeSelect
          label={say('account.label')}
          value={account}
          data={[
            ...accounts.map((value) => ({ value, label: value })),
            ...(isSummable ? [{ value: ALL, label: say('account.all') }] : []),
          ]}
          onChange={({ currentTarget }) => setAccount(currentTarget.value)}
        />
      )}
      {chart.kind === 'flows' && flows.length > 0 && <FlowCharts chart={chart} flows={flows} currency={currency} />}
      {balances.length > 0 && <BalanceChart balances={balances} currency={currency} />}
    </Stack>
  );
};

interface ChartsViewProps {
  list: ScopeList;
  filtered: URLSearchParams;
  chart: Chart;
}

export const ChartsView = ({ list, filtered, chart }: ChartsViewProps) => {
  const say = chartTexts.useTexts();
  const { reading, start, cancel } = useAllRows(list, filtered, sumsOf(chart));
  if (reading.step === 'done') return <Drawings chart={chart} drawn={reading.result} currencies={list.currencies} />;
  if (reading.step === 'failed') {
    const changed = reading.error instanceof ListChanged ? { text: say('read.changed') } : {};
    return <Problem error={reading.error} onRetry={start} {...changed} />;
  }
  if (reading.step === 'asking')
    return (
      <Group>
        <Text>{say('read.ask', { count: reading.total, number: count(reading.total) })}</Text>
        <Button onClick={start}>{say('read.start')}</Button>
      </Group>
    );
  const { offset, total } = reading.position;
  return (
    <Stack>
      <Text size="sm" role="status">
        {say('read.progress', { done: count(offset), total: total === null ? '…' : count(total) })}
      </Text>
      <Progress value={total ? (100 * offset) / total : 0} aria-label={say('read.label')} />
      <Group>
        <Button variant="default" onClick={cancel}>
          {say('read.cancel')}
        </Button>
      </Group>
    </Stack>
  );
};
