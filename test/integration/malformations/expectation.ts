/** The expectation of a part: every cell that ends well with other rows and no notice is in one of the two lists. */
import { writeSync } from 'node:fs';
import { expect } from 'vitest';
import { IS_WHOLE } from '#test/helpers/effort.ts';
import { isSampled, judgePart } from './judged.ts';
import { carriedCells, redCells, writeRed } from './lists.ts';
import type { Part } from './scopes.ts';

/** A local run checks one in this many of the cells that CI checks. */
const LOCAL_EVERY = 32;

export const expectPart = async (part: Part, isWhole = false): Promise<void> => {
  const { every: own = 1, sampled } = isWhole ? {} : part;
  const every = own * (isWhole || IS_WHOLE || process.env.MALFORMATIONS !== undefined ? 1 : LOCAL_EVERY);
  const isWanted = (name: string): boolean =>
    isSampled(name, every) && (!sampled?.kind.test(name) || isSampled(name, sampled.every));
  const judged = await judgePart(part, isWanted);
  const names = (judgement: string) => judged.filter((cell) => cell.judgement === judgement).map(({ name }) => name);
  const falseOks = names('false_ok');
  const counts = ['same', 'reported', 'refused', 'false_ok', 'crash'].map((kind) => `${kind} ${names(kind).length}`);
  if (process.env.MALFORMATIONS !== undefined)
    // `process.stderr` is held back (test/helpers/quiet-output.ts).
    writeSync(2, `${part.name}: ${judged.length} cells, ${counts.join(', ')}\n`);
  if (process.env.MALFORMATIONS === 'write' && every === 1 && !sampled) writeRed(part.name, falseOks);

  const carried = carriedCells(part.name).filter(isWanted);
  const red = redCells(part.name).filter(isWanted);
  const listed = new Set([...carried, ...red]);
  const seen = new Set(falseOks);
  expect(
    falseOks.filter((name) => !listed.has(name)),
    'ends well with other rows and says nothing',
  ).toEqual([]);
  expect(
    red.filter((name) => !seen.has(name)),
    'is no longer red: take it off known-red.json',
  ).toEqual([]);
  expect(
    carried.filter((name) => !seen.has(name)),
    'is no longer carried: take it off carried.json',
  ).toEqual([]);
  expect(names('crash'), 'ends with a fault of ours').toEqual([]);
  expect(judged.length).toBeGreaterThan(every === 1 ? 20 : every === own ? 5 : 0);
};
