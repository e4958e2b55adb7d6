/**
 * The two lists of cells that end well with other rows and no notice: those that the wire cannot reveal (`carried`),
 * and those still to fix (`red`).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Part → reason → cells, each reviewed by hand. */
type Carried = Record<string, Record<string, string[]>>;
/** Part → cells that later issues will fix. */
type Red = Record<string, string[]>;

const CARRIED = join(import.meta.dirname, 'carried.json');
const RED = join(import.meta.dirname, 'known-red.json');

const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

export const carriedCells = (part: string): string[] => Object.values(read<Carried>(CARRIED)[part] ?? {}).flat();

export const redCells = (part: string): string[] => read<Red>(RED)[part] ?? [];

/** Writes the result as the new list, so that its difference can be reviewed before it is committed. */
export const writeRed = (part: string, falseOks: readonly string[]): void => {
  const carried = new Set(carriedCells(part));
  const red = falseOks.filter((name) => !carried.has(name));
  const { [part]: _, ...rest } = read<Red>(RED);
  const all = red.length === 0 ? rest : { ...rest, [part]: red };
  const sorted = Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(RED, `${JSON.stringify(sorted, null, 2)}\n`);
};
