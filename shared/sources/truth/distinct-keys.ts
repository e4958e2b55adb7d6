/** Completeness is judged by different things, not by lines: a copy does not stand for what is missing. */
import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { SourceError } from '../source.ts';

/** Rows of one answer by their natural keys. */
export interface DistinctRows {
  readonly size: number;
  /** False for a copy of a row that was taken already. Throws where one key comes with two contents. */
  take(key: string, row: object, answerKey: string, line: number): boolean;
}

/** What two rows of one key are compared by. */
type Remember = (row: object) => unknown;

/** Some 60 bytes, where an answer may have a hundred thousand rows. */
const digest: Remember = (row) => hash('sha256', JSON.stringify(row), 'base64url');

/** Costs nothing and holds the row: for answers that are in memory as a whole anyway. */
export const wholeRow: Remember = (row) => row;

/** `what`: "a guide". */
export const distinctRows = (what: string, remember: Remember = digest): DistinctRows => {
  const remembered = new Map<string, unknown>();
  return {
    get size() {
      return remembered.size;
    },
    take: (key, row, answerKey, line) => {
      const now = remember(row);
      const before = remembered.get(key);
      if (before === undefined) {
        remembered.set(key, now);
        return true;
      }
      if (isDeepStrictEqual(before, now)) return false;
      const message = `${answerKey}, row ${line}: ${what} comes twice with other contents`;
      throw new SourceError('source.unexpected_response', message);
    },
  };
};

/** `seen`: different keys, and lines that could not be read, which stand for one each. */
export const requireAll = (what: string, seen: number, told: number): void => {
  if (seen >= told) return;
  const message = `${what}: ${seen} different ones came, the source says ${told}`;
  throw new SourceError('source.unexpected_response', message);
};
