/**
 * Every row of every credential table that ends with a fault: the run ends exactly as the table says, with one attempt
 * of a refused login, all sessions logged out, and of each month either everything or nothing.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SandboxCredential } from '#shared/sources/sandbox-kit/credential.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { terminalStatus } from '#shared/sync/run.rules.ts';
import { SYNC_ERRORS } from '#shared/values/sync-errors.ts';
import { sampled } from '#test/helpers/effort.ts';
import { captureLog } from '#test/helpers/log-lines.ts';
import { loadSources } from '#test/helpers/source-folders.ts';
import { type SourceWorld, startSourceWorld } from '#test/helpers/source-world.ts';
import {
  type Ended,
  endAll,
  expectFoundTenders,
  keptAnswers,
  passwordsOf,
  QUIET_HOURS,
  refused,
  STAGE_TIMEOUT_MS,
  tokensOf,
} from './stage.ts';
import { NO_LOGIN, NO_LOGOUT } from './wire-gaps.ts';

const folders = await loadSources();
let world: SourceWorld;
beforeAll(async () => {
  world = await startSourceWorld(folders, { table: 'quick', startsAt: QUIET_HOURS });
});
afterAll(() => world.stop());

describe.each(folders.map((folder) => [folder.code, folder] as const))('%s', (_code, folder) => {
  const entries = sampled(folder.credentials.filter(refused), 5);
  let ended: Map<SandboxCredential, Ended>;
  let logged: string;
  beforeAll(async () => {
    const log = captureLog();
    ended = await endAll(world, folder, entries);
    logged = log.text();
  }, STAGE_TIMEOUT_MS);
  afterAll(() => Promise.all([...ended.values()].map(({ story }) => story.close())));

  test.each(entries.map((entry) => [entry.label, entry] as const))('%s', (_label, entry) => {
    const { run, connection, sessions, logins, books } = ended.get(entry)!;
    const outcomes = Object.values(run.outcomes);
    const expected = ({ scope }: { scope: string }) => entry.outcomes[scope] ?? entry.outcomes['*'] ?? null;
    expect(Object.fromEntries(outcomes.map(({ scope, errorCode }) => [scope, errorCode]))).toEqual(
      Object.fromEntries(outcomes.map((outcome) => [outcome.scope, expected(outcome)])),
    );
    for (const outcome of outcomes) {
      if (expected(outcome) === null) expect(outcome.status).toBe('ok');
      else expect(['failed', 'partial']).toContain(outcome.status);
    }
    expectFoundTenders(run, books, folder.scopes);
    for (const { name } of folder.scopes.filter(({ resource }) => resource === null)) {
      // A slow portal may answer some tenders in time.
      const isFailed = expected({ scope: name }) !== null && entry.behaviour !== 'slow';
      if (isFailed) expect(run.outcomes[name]!.status).toBe('failed');
      const told = run.outcomes[name]!.notices.map(({ code }) => code).filter((code) => code !== 'sync.more_notices');
      expect([...new Set(told)], name).toEqual(entry.notices?.[name] ?? []);
    }
    expect(run.status).toBe(terminalStatus(folder.manifest.scopes, run.outcomes, null));
    const movesToError = outcomes.some(({ errorCode }) => errorCode !== null && SYNC_ERRORS[errorCode].movesToError);
    const isOver = movesToError ? 'error' : run.status === 'failed' ? 'pending' : 'active';
    expect(connection).toMatchObject({ status: isOver, openRuns: [], lastSyncStatus: run.status });

    // A refused password is never sent a second time, by no scope.
    if (/^(wrong_password|locked|password_expired|two_factor_)/.test(entry.behaviour)) expect(logins).toBe(1);
    else expect(logins).toBeGreaterThan(0);
    if (!(folder.code in NO_LOGIN)) expect(logins).toBeLessThanOrEqual(SYNC_LIMITS.loginsPerRunMax);
    if (!(folder.code in NO_LOGOUT)) expect(sessions).toBe(0);

    for (const scope of folder.scopes) {
      for (const [unit, { ours, theirs }] of books.get(scope.name)!) {
        const where = `${scope.name} ${unit}`;
        if (run.outcomes[scope.name]!.status === 'ok') expect(ours, where).toEqual(theirs);
        else if (scope.resource === null) expect(ours.count, where).toBeLessThanOrEqual(theirs.count);
        else if (ours.count > 0) expect(ours, where).toEqual(theirs);
      }
    }
  });

  test('no credential and no session is stored anywhere in clear text', async () => {
    const all = [...ended.values()];
    const kept = keptAnswers(world);
    const ours: [string, string][] = [
      ['the log', logged],
      ['the table', await world.tableText()],
      ['an error', JSON.stringify(all.map(({ run }) => run))],
      ['the request of a kept answer', kept.map(({ head }) => head).join('\n')],
    ];
    const answers: [string, string] = ['a kept answer', kept.map(({ body }) => body).join('\n')];
    // A search that does not find known content proves nothing.
    expect(ours[1]![1]).toContain(all[0]!.connection.id);
    expect(ours[3]![1]).toContain('"request":');
    const found = (secrets: Iterable<string>, places: [string, string][]) =>
      [...new Set(secrets)].flatMap((secret) =>
        places.filter(([, text]) => text.includes(secret)).map(([place]) => `${place}: ${secret.slice(0, 4)}…`),
      );
    const passwords = all.flatMap(({ story }) => passwordsOf(story));
    const tokens = all.flatMap(({ story }) => tokensOf(story));
    expect([passwords.length > 0, tokens.length > 0]).toEqual([true, true]);
    expect(found([...passwords, ...tokens], [...ours, answers])).toEqual([]);
  });
});
