/** Completeness is judged by different things, not by lines: a copy does not stand for what is missing. */
import { hash } from 'node:crypto';
import { SourceError } from '../source.ts';

/** Rows of one answer by their natural keys. */
export interface DistinctRows {
  readonly size: number;
  /** False for a copy of a row that was taken already. Throws where one key comes with two contents. */
  take(key: string, row: object, place: string): boolean;
}

/** `what`: "a guide". Of a row only a digest is held: an answer may have a hundred thousand. */
export const distinctRows = (what: string): DistinctRows => {
  const digests = new Map<string, string>();
  return {
    get size() {
      return digests.size;
    },
    take: (key, row, place) => {
      const digest = hash('sha256', JSON.stringify(row), 'base64url');
      const before = digests.get(key);
      if (before === digest) return false;
      if (before !== undefined)
        throw new SourceError('source.unexpected_response', `${place}: ${what} comes twice with other contents`);
      digests.set(key, digest);
      return true;
    },
  };
};

/** `seen`: different keys, and lines that could not be read, which stand for one each. */
export const requireAll = (what: string, seen: number, told: number): void => {
  if (seen >= told) return;
  const message = `${what}: ${seen} different ones came, the source says ${told}`;
  throw new SourceError('source.unexpected_response', message);
};
