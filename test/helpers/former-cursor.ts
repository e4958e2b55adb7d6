import { cursorParts, cursorText } from '#shared/values/cursor-text.ts';

/** A cursor as a table before its restore issued it: the second part identifies the table. */
export const ofAnotherTable = (cursor: string): string => {
  const [version, , ...rest] = cursorParts(cursor) as unknown[];
  return cursorText([version, 'another table', ...rest]);
};
