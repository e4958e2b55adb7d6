/**
 * Finds the changes between two API descriptions that break clients of the older description. The program oasdiff
 * (Apache-2.0, from Go's module proxy) compares the descriptions.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '#tools/clients/run-program.ts';
import { goProgram } from '#tools/clients/tools.ts';

const ROOT = join(import.meta.dirname, '../..');
const OASDIFF = '1.36.0';

export const DESCRIPTION = join(ROOT, 'docs/openapi.json');
/** Path of the description of the latest release. */
export const RELEASED = join(ROOT, 'docs/released/openapi.json');
export const CHANGELOG = join(ROOT, 'CHANGELOG.md');

/** One change that breaks a client. */
export interface BreakingChange {
  /** oasdiff's name for the kind of change, e.g. `response-required-property-removed`. */
  id: string;
  operation: string;
  path: string;
  text: string;
}

const ERROR_LEVEL = 3;
/**
 * oasdiff only warns about these kinds of changes. They do break clients of this API, because it rejects unknown
 * parameters and properties.
 */
const REMOVED: ReadonlySet<string> = new Set(['request-parameter-removed', 'request-property-removed']);

/**
 * True if the change only adds an error code. Such a change is allowed at any time, because clients must ignore unknown
 * codes (docs/versioning.md).
 */
const isNewErrorCode = ({ id, text }: BreakingChange): boolean =>
  id === 'response-property-enum-value-added' && /error\/code` response property/.test(text);

interface EventOperation {
  requestBody: { content: unknown };
}

interface DescribedPaths {
  paths: Record<string, Record<string, { callbacks?: Record<string, Record<string, { post: EventOperation }>> }>>;
}

/**
 * Writes a copy of the description, and returns its path. In the copy each event is the response of a path, because
 * oasdiff ignores callbacks.
 */
const withEventsAsPaths = (path: string, copy: string): string => {
  const description = JSON.parse(readFileSync(path, 'utf8')) as DescribedPaths;
  const callbacks = Object.values(description.paths).flatMap((methods) =>
    Object.values(methods).flatMap((operation) => Object.entries(operation.callbacks ?? {})),
  );
  const events = callbacks.flatMap(([type, addresses]) =>
    Object.values(addresses).map(({ post }) => {
      const responses = { 200: { description: 'The event.', content: post.requestBody.content } };
      return [`/events/${type}`, { get: { operationId: `event ${type}`, responses } }] as const;
    }),
  );
  const paths = { ...description.paths, ...Object.fromEntries(events) };
  writeFileSync(copy, JSON.stringify({ ...description, paths }));
  return copy;
};

/**
 * Compares two descriptions.
 * @param base path of the older description
 * @returns breaking changes; empty when every client of the older description continues to work
 */
export const findBreakingChanges = async (base: string, revision: string): Promise<BreakingChange[]> => {
  const program = await goProgram('github.com/oasdiff/oasdiff', OASDIFF);
  const folder = mkdtempSync(join(tmpdir(), 'descriptions-'));
  try {
    const before = withEventsAsPaths(base, join(folder, 'base.json'));
    const after = withEventsAsPaths(revision, join(folder, 'revision.json'));
    const told = await runProgram({ program, args: ['breaking', before, after, '--format', 'json'] });
    const changes = told.trim() === '' ? [] : (JSON.parse(told) as (BreakingChange & { level: number })[]);
    return changes.filter((each) => (each.level === ERROR_LEVEL || REMOVED.has(each.id)) && !isNewErrorCode(each));
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const UNRELEASED = 'Unreleased\n';

/** Returns the part of the changelog under the heading Unreleased. */
export const readUnreleased = (changelog: string): string =>
  changelog
    .split(/^## /m)
    .find((part) => part.startsWith(UNRELEASED))
    ?.slice(UNRELEASED.length) ?? '';

/** True if the changelog announces a breaking change of the next release. */
export const tellsOfBreaking = (changelog: string): boolean => /^(?:- )?BREAKING: \S/m.test(readUnreleased(changelog));

export const toldInChangelog = (): boolean => tellsOfBreaking(readFileSync(CHANGELOG, 'utf8'));

export const formatChange = ({ id, operation, path, text }: BreakingChange): string =>
  `${id}: ${operation} ${path}: ${text}`;
