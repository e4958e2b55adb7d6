/** Stored rows that a reading does not show. */
import { expect, test } from 'vitest';
import { rowsNotShown } from '#shared/rows/write/rows-not-shown.rules.ts';

const rows = (...ids: string[]) => ids.map((id) => ({ id }));

test.each([
  ['all are shown', rows('a', 'b'), rows('b', 'a'), [], true, 0],
  ['nothing is stored', [], rows('a'), [], true, 0],
  ['one is not shown', rows('a', 'b'), rows('b', 'c'), [], true, 1],
  ['one is not shown, where rows may leave their month', rows('a', 'b'), rows('b'), [], false, 0],
  ['none is shown', rows('a', 'b'), [], [], false, 2],
  ['none is shown, and those are replaced', rows('a', 'b'), [], rows('a'), false, 1],
] as const)('%s', (_name, stored, shown, removed, showsAll, count) => {
  expect(rowsNotShown(stored, shown, { removed, showsAll })).toBe(count);
});
