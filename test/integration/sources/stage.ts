/** Runs of a source's credentials in parallel, and all checks of how each ended. */

import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { Connection } from '#shared/connections/connection.rules.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import type { SandboxCredential } from '#shared/sources/sandbox-kit/credential.ts';
import type { SyncRun } from '#shared/sync/run.rules.ts';
import { noticeCode } from '#shared/values/notice-code.ts';
import type { SourceFolder } from '#test/helpers/source-folders.ts';
import { type Story, startStory } from '#test/helpers/source-story.ts';
import { besideLedger, readerOf, summedFields, type Tally } from '#test/helpers/source-totals.ts';
import type { SourceWorld } from '#test/helpers/source-world.ts';
import { NO_LOGOUT } from './wire-gaps.ts';

/**
 * 01:00 in Santiago: the institutions change nothing for seven hours, so that balances and books are of the same time.
 */
export const QUIET_HOURS = '2026-11-21T04:00:00.000Z';

/** The current month and the one just closed: enough for faults that come in the middle. */
export const MONTHS = ['2026-10', '2026-11'];
/** Ends runs that hang: all logins of a source's table take about 5 minutes on a slow, shared machine. */
export const STAGE_TIMEOUT_MS = 900_000;

export type Books = Map<string, { ours: Tally; theirs: Tally }>;

export interface Ended {
  story: Story;
  run: SyncRun;
  connection: Connection;
  logins: number;
  /** Sessions still open at the institution. */
  sessions: number;
  /** Scope → period (or `now`) → rows as read over HTTP and rows that the institution holds. */
  books: Map<string, Books>;
}

/** The input of a sync: two months if a scope has periods. */
export const inputOf = ({ scopes }: SourceFolder, months: readonly string[] = MONTHS): Record<string, unknown> =>
  scopes.some(({ periodic }) => periodic) ? { periods: months } : {};

/** Whether rows are observations: every sync adds some, and the newest ones equal what the institution holds. */
export const isObserved = ({ openFacets }: ScopeDefinition): boolean => openFacets !== undefined;

/** What the institution holds of the units that the run requested. */
export const readBooks = async (world: SourceWorld, story: Story, run: SyncRun): Promise<Ended> => {
  const { run: ended, connection } = await world.look(run);
  const [ledger, reader, { logins, sessions }] = await Promise.all([
    story.ledger(),
    readerOf(connection),
    story.logins(),
  ]);
  const books = new Map<string, Books>();
  for (const scope of story.folder.scopes) {
    const listed = await reader.rows(scope, isObserved(scope) ? 'latest=true' : '');
    const shown = summedFields(scope, ledger).every((field) => field in scope.listRow.shape);
    const all = besideLedger(scope, shown ? listed : await reader.inFull(scope, listed), ledger);
    const asked = (ended.inputMetadata as { periods?: string[] }).periods;
    const units = scope.periodic ? (asked ?? [...all.keys()].filter((unit) => all.get(unit)!.ours.count > 0)) : null;
    books.set(scope.name, new Map([...all].filter(([unit]) => units === null || units.includes(unit))));
  }
  return { story, run: ended, connection, logins, sessions, books };
};

/**
 * Connects every credential, synchronizes all of them at the same time, and reads the results. Sandboxes stay up for
 * more.
 */
export const endAll = async (
  world: SourceWorld,
  folder: SourceFolder,
  entries: readonly SandboxCredential[],
  input = inputOf(folder),
): Promise<Map<SandboxCredential, Ended>> => {
  const begun = await Promise.all(
    entries.map(async (entry) => {
      const story = await startStory(folder, entry);
      const connection = await world.connect(story);
      return { story, run: await world.start(connection, input) };
    }),
  );
  await world.drain();
  const ended = new Map<SandboxCredential, Ended>();
  for (const { story, run } of begun) ended.set(story.entry, await readBooks(world, story, run));
  return ended;
};

export const refused = ({ outcomes }: SandboxCredential): boolean => Object.keys(outcomes).length > 0;
/** Large credentials are left out, because they are slow. */
export const works = (entry: SandboxCredential): boolean => !refused(entry) && entry.behaviour !== 'large';

/** Says how far back a source reaches: only a caller who asks for more gets this notice. */
const isOfDepth = (notice: string): boolean => notice.endsWith('.out_of_window');

/** Given for the months in which totals differ, so it depends on the requested months. */
const isOfTotals = (notice: string): boolean => notice.endsWith('.totals_differ');

/** Everything ended well with the notices of the table, all sessions are logged out, and no row is missing or extra. */
export const expectWhole = (
  { story, run, connection, sessions, books }: Ended,
  /** A month was closed since the sync before, and its statement may show fewer rows than were provisional. */
  hasClosed = false,
): void => {
  const { entry, folder } = story;
  const outcomes = Object.values(run.outcomes);
  expect(outcomes.map(({ scope, status, errorMessage }) => [scope, status, errorMessage])).toEqual(
    outcomes.map(({ scope }) => [scope, 'ok', null]),
  );
  expect([run.status, connection.status]).toEqual(['succeeded', 'active']);
  const isFirst = Object.keys(run.inputMetadata).length === 0;
  for (const { scope, notices } of outcomes) {
    const told = new Set(notices.map(({ code }) => code).filter((code) => code.startsWith(`${folder.code}.`)));
    if (hasClosed)
      for (const what of ['rows_replaced', 'currency_lost'] as const)
        told.delete(noticeCode(`${folder.code}.${scope}`, what));
    const differs = isFirst || [...told].some(isOfTotals);
    const expected = (entry.notices?.[scope] ?? []).filter((code) =>
      isOfTotals(code) ? differs : isFirst || !isOfDepth(code),
    );
    expect([...told].sort(), scope).toEqual([...expected].sort());
  }
  if (!(folder.code in NO_LOGOUT)) expect(sessions).toBe(0);
  for (const [scope, units] of books)
    for (const [unit, { ours, theirs }] of units) expect(ours, `${scope} ${unit}`).toEqual(theirs);
};

/** Scopes of tenders that ended well found as many rows as the institution holds. */
export const expectFoundTenders = (run: SyncRun, books: Ended['books'], scopes: readonly ScopeDefinition[]): void => {
  for (const { name } of scopes.filter(({ resource }) => resource === null)) {
    const { status, recordsFound } = run.outcomes[name]!;
    const held = [...books.get(name)!.values()].reduce((sum, { theirs }) => sum + theirs.count, 0);
    if (status === 'ok') expect(recordsFound, name).toBe(held);
  }
};

/** Stored answers, decompressed: the description of the request, and the body of the answer. */
export const keptAnswers = (world: SourceWorld): { head: string; body: string }[] =>
  [...world.objects.values()].map((object) => {
    const isZipped = object[0] === 0x1f && object[1] === 0x8b;
    const text = (isZipped ? gunzipSync(object) : object).toString('latin1');
    const end = text.indexOf('\n');
    return { head: text.slice(0, end), body: text.slice(end + 1) };
  });

/** Whether a text is a random part of a session, and not a host, a date, a RUT, an account or an ordinary word. */
const isToken = (text: string): boolean => {
  // The name of a cookie.
  if (text === 'ASPSESSIONID') return false;
  if (text.length < 12 || !/^[\w+/=.~-]+$/.test(text) || /^\d{4}-\d\d-/.test(text)) return false;
  return /^[A-Z]+$/.test(text) || (/[a-z]/i.test(text) && /\d/.test(text));
};

/** Credentials whose fields a form hides. */
export const passwordsOf = ({ folder, entry }: Story): string[] => {
  const shape = folder.manifest.credentialsSchema.shape as Record<string, { meta(): { format?: string } | undefined }>;
  const hidden = Object.entries(entry.credentials).filter(([name]) => shape[name]?.meta()?.format === 'password');
  return hidden.map(([, value]) => value);
};

/** Tokens that the institution issued for a session. */
export const tokensOf = ({ entry, sessionTexts }: Story): string[] => {
  const given = new Set(Object.values(entry.credentials));
  return [...sessionTexts].filter((text) => isToken(text) && !given.has(text));
};
