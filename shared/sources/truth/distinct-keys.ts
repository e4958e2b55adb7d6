/** Completeness is judged by different things, not by lines: a copy does not stand for what is missing. */
import { SourceError } from '../source.ts';

/** `seen`: different keys, and lines that could not be read, which stand for one each. */
export const requireAll = (what: string, seen: number, told: number): void => {
  if (seen >= told) return;
  const message = `${what}: ${seen} different ones came, the source says ${told}`;
  throw new SourceError('source.unexpected_response', message);
};
