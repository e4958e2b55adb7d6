/** Figures with what the machine did meanwhile, and results kept as JSON beside the documentation. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../docs/bench');

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

/** `0.83 (0.79 to 0.91)`: the median of the rounds, the least and the most. */
export const spread = (values: readonly number[], digits = 2): string =>
  `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`;

/** Runnable processes on average over the last minute: above the number of cores, times are those of a busy machine. */
export const machine = () => ({ cores: availableParallelism(), load: Number(loadavg()[0]!.toFixed(2)) });

export const keepResult = (name: string, result: object): void => {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
};
