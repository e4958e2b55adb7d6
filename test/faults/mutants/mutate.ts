/**
 * Replaces a source file with its mutant, for one thread and only in memory: a killed run leaves no changed file
 * behind. Call it before the code under test is loaded.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tolerateUnused } from '../table/request-limits.ts';
import type { Change, Mutant } from './mutant.ts';

const ROOT = new URL('../../../', import.meta.url);

export class NotOnce extends Error {
  constructor({ file, old }: Change, times: number) {
    super(`${file}: found ${times} times, must be there once:\n${old}`);
  }
}

export const urlOf = (file: string): string => new URL(file, ROOT).href;

/** @throws NotOnce unless the text to replace occurs exactly once: any other mutant would prove nothing */
const changed = (text: string, change: Change): string => {
  const parts = text.split(change.old);
  if (parts.length !== 2) throw new NotOnce(change, parts.length - 1);
  return parts.join(change.new);
};

/** The mutated text of each file, by URL. */
export const mutatedFiles = ({ changes }: Mutant): Map<string, string> => {
  const files = new Map<string, string>();
  for (const change of changes) {
    const url = urlOf(change.file);
    files.set(url, changed(files.get(url) ?? readFileSync(new URL(url), 'utf8'), change));
  }
  return files;
};

export const mutate = (mutant: Mutant): void => {
  const files = mutatedFiles(mutant);
  tolerateUnused();
  registerHooks({
    load: (url, context, next) => {
      const source = files.get(url);
      return source === undefined ? next(url, context) : { ...next(url, context), source };
    },
  });
};
