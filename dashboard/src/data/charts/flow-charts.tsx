/** Charts of documents and amounts per month: issued compared with received, or money in compared with money out. */
import { BarChart } from '@mantine/charts';
import { amountIn, count } from '../../text/format.ts';
import { month } from '../../text/month.ts';
import { ChartFigure } from './chart-figure.tsx';
import type { FlowChart } from './chart-of.ts';
import { inCurrency } from './in-currency.ts';
import type { Flow } from './sum-flows.ts';
import { chartTexts } from './texts.ts';

const HEIGHT = 260;
const COLORS: Readonly<Record<string, string>> = { received: 'teal.6', issued: 'indigo.6', '': 'indigo.6' };

interface FlowChartsProps {
  chart: FlowChart;
  /** The flows to draw; all are in `currency`. */
  flows: readonly Flow[];
  currency: string;
}

export const FlowCharts = ({ chart, flows, currency }: FlowChartsProps) => {
  const say = chartTexts.useTexts();
  const isMoney = chart.amount === 'amount';
  const directions = [...new Set(flows.map(({ direction }) => direction))].sort().reverse();
  const names: Readonly<Record<string, string>> = isMoney
    ? { received: say('in'), issued: say('out'), '': say('all') }
    : { received: say('received'), issued: say('issued'), '': say('all') };
  const periods = [...Map.groupBy(flows, ({ period }) => period)];
  const series = directions.map((direction) => ({
    name: names[direction] ?? direction,
    color: COLORS[direction] ?? 'gray.6',
  }));

  const figure = (
    title: string,
    note: string | undefined,
    pick: (flow: Flow) => string,
    show: (v: string) => string,
  ) => (
    <ChartFigure
      title={title}
      {...(note === undefined ? {} : { note })}
      head={[say('period'), ...series.map(({ name }) => name)]}
      lines={periods.map(([period, own]) => [
        month(period),
        ...directions.map((direction) => {
          const flow = own.find((each) => each.direction === direction);
          return show(flow ? pick(flow) : '0');
        }),
      ])}
    >
      <BarChart
        h={HEIGHT}
        withLegend
        dataKey="period"
        series={series}
        // The lengths of bars may be floats, because the table shows the exact values.
        data={periods.map(([period, own]) => ({
          period: month(period),
          ...Object.fromEntries(own.map((flow) => [names[flow.direction] ?? flow.direction, Number(pick(flow))])),
        }))}
        valueFormatter={(value) => show(String(value))}
        barChartProps={{ accessibilityLayer: false }}
        yAxisProps={{ width: 110 }}
      />
    </ChartFigure>
  );

  const note = chart.isSigned || isMoney || chart.counted !== null ? undefined : say('flows.credit');
  return (
    <>
      {figure(
        inCurrency(say(isMoney ? 'flows.in-out' : 'flows.amounts'), currency),
        note,
        ({ amount }) => amount,
        (value) => amountIn(value, currency),
      )}
      {figure(
        say(isMoney ? 'flows.moves' : 'flows.counts'),
        undefined,
        (flow) => String(flow.count),
        (value) => count(Number(value)),
      )}
    </>
  );
};
