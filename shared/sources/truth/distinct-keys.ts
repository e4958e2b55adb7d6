/** Completeness is judged by different things, not by lines: a copy does not stand for what is missing. */
import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { unexpected } from '../parsing/results.ts';

/** Rows of one answer by their natural keys. */
export interface DistinctRows {
  readonly size: number;
  /** False for a copy of a row that was taken already. Throws where one key comes with two contents. */
  take(key: string, row: object, answerKey: string, line: number): boolean;
}

/** So many rows of an answer are held whole, the others as digests: a row takes a kilobyte, its digest 60 bytes. */
const WHOLE_ROWS_MAX = 20_000;

const digest = (row: object): string => hash('sha256', JSON.stringify(row), 'base64url');

/** `what`: "a guide". */
export const distinctRows = (what: string): DistinctRows => {
  const taken = new Map<string, object | string>();
  return {
    get size() {
      return taken.size;
    },
    take: (key, row, answerKey, line) => {
      const before = taken.get(key);
      if (before === undefined) {
        taken.set(key, taken.size < WHOLE_ROWS_MAX ? row : digest(row));
        return true;
      }
      if (typeof before === 'string' ? before === digest(row) : isDeepStrictEqual(before, row)) return false;
      throw unexpected(`${answerKey}, row ${line}`, `${what} comes twice with other contents`);
    },
  };
};

/** `seen`: different keys, and lines that could not be read, which stand for one each. */
export const requireAll = (what: string, seen: number, told: number): void => {
  if (seen < told) throw unexpected(what, `${seen} different ones came, the source says ${told}`);
};
