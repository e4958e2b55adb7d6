/**
 * Changes of a description that break clients of an earlier one, found by oasdiff (Apache-2.0, from Go's module proxy).
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '#tools/clients/run-program.ts';
import { goProgram } from '#tools/clients/tools.ts';

const ROOT = join(import.meta.dirname, '../..');
const OASDIFF = '1.36.0';

export const DESCRIPTION = join(ROOT, 'docs/openapi.json');
/** The description of the latest release. */
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
 * Only warnings in oasdiff, but this API rejects unknown parameters and properties, so a client that sends one breaks.
 */
const REMOVED: ReadonlySet<string> = new Set(['request-parameter-removed', 'request-property-removed']);

/** Clients ignore unknown values: a new error code may be added at any time (docs/versioning.md). */
const isNewErrorCode = ({ id, text }: BreakingChange): boolean =>
  id === 'response-property-enum-value-added' && /error\/code` response property/.test(text);

interface EventOperation {
  requestBody: { content: unknown };
}

interface Described {
  paths: Record<string, Record<string, { callbacks?: Record<string, Record<string, { post: EventOperation }>> }>>;
}

/** oasdiff ignores callbacks: this copy of the description presents each event as the response of a path. */
const withEventsAsPaths = (path: string, copy: string): string => {
  const description = JSON.parse(readFileSync(path, 'utf8')) as Described;
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
 * @param base path of the description from which clients were generated @returns empty when every client continues to
 * work
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

/** The unreleased part of the changelog. */
export const unreleasedOf = (changelog: string): string =>
  changelog
    .split(/^## /m)
    .find((part) => part.startsWith(UNRELEASED))
    ?.slice(UNRELEASED.length) ?? '';

/** True if the changelog announces a breaking change. */
export const tellsOfBreaking = (changelog: string): boolean => /^(?:- )?BREAKING: \S/m.test(unreleasedOf(changelog));

export const toldInChangelog = (): boolean => tellsOfBreaking(readFileSync(CHANGELOG, 'utf8'));

export const lineOf = ({ id, operation, path, text }: BreakingChange): string => `${id}: ${operation} ${path}: ${text}`;
