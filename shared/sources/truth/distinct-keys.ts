/** Checks completeness by the number of different keys and not of lines, because a copy must not hide a missing row. */
import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { unexpected } from '../parsing/results.ts';

/** Rows of one answer, by natural key. */
export interface DistinctRows {
  readonly size: number;
  /** Returns false for a copy of an earlier row. Throws when one key has two different contents. */
  take(key: string, row: object, answerKey: string, line: number): boolean;
}

/**
 * Up to this many rows of an answer are stored whole, further rows as digests: a row takes a kilobyte, its digest 60
 * bytes.
 */
const WHOLE_ROWS_MAX = 20_000;

const digest = (row: object): string => hash('sha256', JSON.stringify(row), 'base64url');

/** Returns an empty collection of rows. `what` names one row in messages: "a guide". */
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

/**
 * Throws when `seen` is less than `reported`, the number of rows according to the source. `seen` counts different keys
 * plus unreadable lines.
 */
export const requireAll = (what: string, seen: number, reported: number): void => {
  if (seen < reported) throw unexpected(what, `${seen} different ones came, the source says ${reported}`);
};
