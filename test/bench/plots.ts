/** The stored figures as pictures: one SVG per JSON file, and one of all lines against their limits. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as echarts from 'echarts';
import type { Line } from './report.ts';

type Option = echarts.EChartsCoreOption;

const WIDTH = 900;
const HEIGHT = 480;
const REACHED = '#3a7d44';
const MISSED = '#c0392b';
/** Longer bars are cut: the line is far beyond its limit. */
const SHARE_MAX = 2;

const axis = (name: string, more: object = {}) => ({
  type: 'value',
  name,
  nameLocation: 'middle',
  nameGap: 32,
  ...more,
});
const category = (data: readonly (string | number)[], name = '', more: object = {}) => ({
  type: 'category',
  data,
  name,
  nameLocation: 'middle',
  nameGap: 32,
  ...more,
});
const withTitle = (text: string, subtext = ''): object => ({
  animation: false,
  backgroundColor: '#fff',
  title: { text, subtext, left: 'center' },
  legend: { bottom: 0 },
  grid: { left: 70, right: 30, top: 80, bottom: 80 },
});

const summary = ({ lines }: { lines: Line[] }): Option => ({
  ...withTitle('How much of each limit is used', '1 is the limit; shorter is better'),
  legend: undefined,
  grid: { left: 330, right: 40, top: 70, bottom: 40 },
  xAxis: axis('', { max: SHARE_MAX }),
  yAxis: category(
    lines.map(({ line, measure }) => `${line}: ${measure}`),
    '',
    { inverse: true, axisLabel: { width: 310, overflow: 'truncate' } },
  ),
  series: [
    {
      type: 'bar',
      data: lines.map(({ ofLimit, reached }) => ({
        value: Math.min(SHARE_MAX, ofLimit ?? SHARE_MAX),
        itemStyle: { color: reached ? REACHED : MISSED },
      })),
      markLine: { symbol: 'none', data: [{ xAxis: 1 }], lineStyle: { color: '#333' } },
    },
  ],
});

interface Pages {
  rows: number;
  pages: { filter: string; offset: number; readUnits: number; p50: number }[];
}
const pages = ({ rows, pages }: Pages): Option => {
  const filters = [...Map.groupBy(pages, ({ filter }) => filter)];
  const places = ['first row', 'near', 'midst', 'last rows'];
  return {
    ...withTitle(`Pages of 50 of ${rows} rows`, 'bars: read units; lines: p50 ms'),
    xAxis: category(places),
    yAxis: [axis('read units'), axis('ms')],
    series: filters.flatMap(([name, cases]) => [
      { name, type: 'bar', data: cases.map(({ readUnits }) => readUnits) },
      { name, type: 'line', yAxisIndex: 1, data: cases.map(({ p50 }) => p50) },
    ]),
  };
};

interface Syncs {
  documents: number;
  rounds: Record<'floor' | 'first' | 'again' | 'changed', { seconds: number }>[];
}
const syncs = ({ documents, rounds }: Syncs): Option => ({
  ...withTitle(`Storing ${documents} documents`, 'seconds, by round'),
  xAxis: category(rounds.map((_, n) => `round ${n + 1}`)),
  yAxis: axis('seconds'),
  series: (['floor', 'first', 'again', 'changed'] as const).map((name) => ({
    name: { floor: 'floor', first: 'first sync', again: 'the same again', changed: '1 % changed' }[name],
    type: 'bar',
    data: rounds.map((round) => round[name].seconds),
  })),
});

interface Deliveries {
  lateMs: number[];
}
const deliveries = ({ lateMs }: Deliveries): Option => ({
  ...withTitle('Run ended to first attempt at the receiver', 'ms, by share of the deliveries'),
  legend: undefined,
  xAxis: axis('% of the deliveries', { max: 100 }),
  yAxis: axis('ms'),
  series: [{ type: 'line', showSymbol: false, data: lateMs.map((ms, n) => [((n + 1) / lateMs.length) * 100, ms]) }],
});

interface Inits {
  functions: { functionId: string; overEmptyMs: number }[];
}
const inits = ({ functions }: Inits): Option => ({
  ...withTitle('Start of every function, ms over an empty one'),
  legend: undefined,
  xAxis: category(
    functions.map(({ functionId }) => functionId),
    '',
    { axisLabel: { rotate: 90, interval: 0, fontSize: 8 } },
  ),
  grid: { left: 70, right: 30, top: 60, bottom: 190 },
  yAxis: axis('ms'),
  series: [{ type: 'bar', data: functions.map(({ overEmptyMs }) => overEmptyMs) }],
});

interface Months {
  months: { documents: number; first: { seconds: number; peakMiB: number } }[];
}
const months = ({ months }: Months): Option => ({
  ...withTitle('Months of growing size', 'seconds of the first sync and highest resident memory'),
  xAxis: category(
    months.map(({ documents }) => documents),
    'documents',
  ),
  yAxis: [axis('seconds', { type: 'log' }), axis('MiB', { min: 0 })],
  series: [
    { name: 'seconds', type: 'line', data: months.map(({ first }) => first.seconds) },
    { name: 'MiB', type: 'line', yAxisIndex: 1, data: months.map(({ first }) => first.peakMiB) },
  ],
});

// biome-ignore lint/suspicious/noExplicitAny: each takes the result of its own part
const PLOTS: Record<string, (result: any) => Option> = {
  summary,
  pages,
  'first-sync': syncs,
  deliveries,
  'init-times': inits,
  'months-tax.rcv': months,
};

const draw = (option: Option, height: number): string => {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height });
  chart.setOption(option);
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
};

/** Draws every result in the folder. Returns the files. */
export const drawPlots = (folder: string): string[] =>
  Object.entries(PLOTS).flatMap(([name, option]) => {
    const file = join(folder, `${name}.json`);
    if (!existsSync(file)) return [];
    const svg = join(folder, `${name}.svg`);
    writeFileSync(svg, `${draw(option(JSON.parse(readFileSync(file, 'utf8'))), HEIGHT)}\n`);
    return [svg];
  });
