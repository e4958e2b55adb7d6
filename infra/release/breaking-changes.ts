/** What a description takes away from clients of another: judged by oasdiff (Apache-2.0, from Go's module proxy). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '#infra/clients/run-program.ts';
import { goProgram } from '#infra/clients/tools.ts';

const ROOT = join(import.meta.dirname, '../..');
const OASDIFF = '1.36.0';

export const DESCRIPTION = join(ROOT, 'docs/openapi.json');
/** The description of the latest release. */
export const RELEASED = join(ROOT, 'docs/released/openapi.json');
export const CHANGELOG = join(ROOT, 'CHANGELOG.md');

/** One change that breaks a client. */
export interface BreakingChange {
  /** oasdiff's name of the kind, e.g. `response-required-property-removed`. */
  id: string;
  operation: string;
  path: string;
  text: string;
}

/** @param base path of the description that clients were made of @returns none where every client goes on working */
export const findBreakingChanges = async (base: string, revision: string): Promise<BreakingChange[]> => {
  const program = await goProgram('github.com/oasdiff/oasdiff', OASDIFF);
  const told = await runProgram({
    program,
    args: ['breaking', base, revision, '--format', 'json'],
  });
  const changes = told.trim() === '' ? [] : (JSON.parse(told) as (BreakingChange & { level: number })[]);
  return changes.filter(({ level }) => level === ERROR_LEVEL);
};

/** Of oasdiff: 1 and 2 are hints and warnings, such as a new value of an enum in an answer. */
const ERROR_LEVEL = 3;

const UNRELEASED = 'Unreleased\n';

/** The part of the changelog that no release has. */
export const unreleasedOf = (changelog: string): string =>
  changelog
    .split(/^## /m)
    .find((part) => part.startsWith(UNRELEASED))
    ?.slice(UNRELEASED.length) ?? '';

/** Does the changelog tell clients that something breaks? */
export const tellsOfBreaking = (changelog: string): boolean => /^(?:- )?BREAKING: \S/m.test(unreleasedOf(changelog));

export const toldInChangelog = (): boolean => tellsOfBreaking(readFileSync(CHANGELOG, 'utf8'));

export const lineOf = ({ id, operation, path, text }: BreakingChange): string => `${id}: ${operation} ${path}: ${text}`;
