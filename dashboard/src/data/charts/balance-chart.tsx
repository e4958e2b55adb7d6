/** The balance of each account over time. */
import { LineChart } from '@mantine/charts';
import { amountIn } from '../../text/format.ts';
import { plainDay } from '../shown-value.ts';
import { ChartFigure } from './chart-figure.tsx';
import type { DayBalance } from './day-balances.ts';
import { inCurrency } from './in-currency.ts';
import { chartTexts } from './texts.ts';

const HEIGHT = 300;
const COLORS = ['indigo.6', 'teal.6', 'orange.6', 'grape.6', 'cyan.6', 'red.6'] as const;

/** Formats a day of the axis of times. @param atMs midnight UTC of the day */
const dayAt = (atMs: number): string => plainDay(new Date(atMs).toISOString().slice(0, 10));

interface BalanceChartProps {
  /** The balances to draw; all are in `currency`. */
  balances: readonly DayBalance[];
  currency: string;
}

export const BalanceChart = ({ balances, currency }: BalanceChartProps) => {
  const say = chartTexts.useTexts();
  const accounts = [...new Set(balances.map(({ account }) => account))].sort();
  const days = [...Map.groupBy(balances, ({ day }) => day)];
  const series = accounts.map((account, index) => ({
    name: say('account', { account }),
    color: COLORS[index % COLORS.length] ?? 'gray.6',
  }));
  return (
    <ChartFigure
      title={inCurrency(say('balances'), currency)}
      head={[say('day'), ...series.map(({ name }) => name)]}
      lines={days.map(([day, own]) => [
        plainDay(day),
        ...accounts.map((account) => {
          const balance = own.find((each) => each.account === account)?.balance;
          return balance === undefined ? '' : amountIn(balance, currency);
        }),
      ])}
    >
      <LineChart
        h={HEIGHT}
        withLegend
        connectNulls
        dataKey="at"
        curveType="stepAfter"
        series={series}
        data={days.map(([day, own]) => ({
          at: Date.parse(day),
          ...Object.fromEntries(own.map(({ account, balance }) => [say('account', { account }), Number(balance)])),
        }))}
        valueFormatter={(value) => amountIn(String(value), currency)}
        tooltipProps={{ labelFormatter: (at) => (typeof at === 'number' ? dayAt(at) : '') }}
        xAxisProps={{ type: 'number', scale: 'time', domain: ['dataMin', 'dataMax'], tickFormatter: dayAt }}
        lineChartProps={{ accessibilityLayer: false }}
        yAxisProps={{ width: 110 }}
      />
    </ChartFigure>
  );
};
