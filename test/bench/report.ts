/** Prints figures with the machine's load, the judged lines of the table, and stores results as JSON. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';

/** Figures of a run, which git ignores. */
export const resultsFolder = (): string => process.env.BENCH_RESULTS || join(import.meta.dirname, '../../dist/bench');

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.POSITIVE_INFINITY;
};

/** `0.83 (0.79 to 0.91)`: the median of the rounds, the minimum and the maximum. */
export const spread = (values: readonly number[], digits = 2): string =>
  `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`;

/** Runnable processes on average over the last minute: if more than the number of cores, the machine was busy. */
export const machine = () => ({ cores: availableParallelism(), load: Number(loadavg()[0]!.toFixed(2)) });

/** One judged figure. The numbers of lines are those of the table in docs/performance.md. */
export interface Line {
  line: number;
  measure: string;
  figure: string;
  toReach: string;
  reached: boolean;
}

interface Judged {
  value: number;
  limit: number;
  /** Printed instead of the bare value, with its spread. */
  figure?: string;
}

type Verdict = { toReach: string; used: number };

const judge = (line: number, measure: string, { value, figure }: Judged, { toReach, used }: Verdict): Line => ({
  line,
  measure,
  figure: figure ?? String(value),
  toReach,
  reached: used <= 1,
});

export const atMost = (line: number, measure: string, judged: Judged): Line => {
  const { value, limit } = judged;
  const used = limit === 0 && value === 0 ? 0 : value / limit;
  return judge(line, measure, judged, { toReach: `at most ${limit}`, used });
};

export const atLeast = (line: number, measure: string, judged: Judged): Line => {
  const { value, limit } = judged;
  const used = value > 0 ? limit / value : Number.POSITIVE_INFINITY;
  return judge(line, measure, judged, { toReach: `at least ${limit}`, used });
};

export const printLines = (lines: readonly Line[]): void =>
  console.table(
    lines.map(({ line: no, measure, figure, toReach, reached }) => ({
      line: no,
      measure,
      figure,
      'to reach': toReach,
      '': reached ? 'reached' : 'missed',
    })),
  );

export const keepResult = (name: string, result: object): void => {
  mkdirSync(resultsFolder(), { recursive: true });
  writeFileSync(join(resultsFolder(), `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
};

/** Prints and stores the lines; the process fails when a line is missed. */
export const conclude = (name: string, lines: readonly Line[], result: object): void => {
  printLines(lines);
  keepResult(name, { machine: machine(), lines, ...result });
  process.exitCode = lines.every(({ reached }) => reached) ? 0 : 1;
};
