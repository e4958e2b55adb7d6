/**
 * An institution that gives logins answers that no adapter knows: each may have cost one of the few attempts that an
 * account has. They are counted at its server, over all scopes, runs and connections of a login (decisions.md §5,
 * "Logins").
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { createRedactor } from '#shared/sources/http/redactor.ts';
import type { SandboxCredential } from '#shared/sources/sandbox-kit/credential.ts';
import type { SourceIo } from '#shared/sources/source.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { HOSTILE_ANSWERS, type HostileInstitution, startHostileInstitution } from '#test/fakes/hostile-institution.ts';
import { captureLog } from '#test/helpers/log-lines.ts';
import type { SourceFolder } from '#test/helpers/source-folders.ts';
import { startStory } from '#test/helpers/source-story.ts';
import { type SourceWorld, startSourceWorld } from '#test/helpers/source-world.ts';
import { inputOf, passwordsOf, STAGE_TIMEOUT_MS } from './stage.ts';

const HOUR_MS = 3_600_000;
const HANGS_MS = 2_000;

interface Case {
  name: string;
  bank: HostileInstitution;
  both: Connection[];
  /** Number of passwords that arrived, by sync. */
  posts: number[];
  codes: (string | null)[];
}

/** The real source against a test server, without waiting times. */
const against = (folder: SourceFolder, url: () => string): SourceFolder['source'] => {
  const { source } = folder;
  const { tenders } = source;
  const own = (io: SourceIo): SourceIo => ({
    ...io,
    settings: {
      baseUrl: url(),
      pace: { callDelayMs: 0, callsMax: Number.MAX_SAFE_INTEGER, windowMs: 0 },
      callTimeoutMs: HANGS_MS,
      downloadTimeoutMs: HANGS_MS,
    },
    wait: async () => {},
    turn: async () => {},
  });
  return {
    ...source,
    connect: (request, io) => source.connect(request, own(io)),
    disconnect: (session, io) => source.disconnect(session, own(io)),
    pull: (request, context) => source.pull(request, { ...context, io: own(context.io) }),
    ...(tenders && {
      tenders: {
        isStillProven: tenders.isStillProven,
        publishedOn: (day, request, context) => tenders.publishedOn(day, request, { ...context, io: own(context.io) }),
        files: (request, wanted, session, io) => tenders.files(request, wanted, session, own(io)),
      },
    }),
  };
};

const entryOf = ({ credentials }: SourceFolder): SandboxCredential =>
  credentials.find(({ behaviour, outcomes }) => behaviour === 'works' && Object.keys(outcomes).length === 0)!;

/** The institution has never accepted these credentials. */
export const describeHostileLogins = (folder: SourceFolder, names: readonly string[], days: 1 | 2): void => {
  describe('never accepted', () => {
    const entry = entryOf(folder);
    const [password] = passwordsOf({ folder, entry } as never);
    const cases: Case[] = [];
    let world: SourceWorld;

    /** Runs all cases at the same time, each with its own institution and organization. */
    beforeAll(async () => {
      captureLog();
      world = await startSourceWorld([folder], { table: 'quick' });
      for (const [name, hostility] of names.map((own) => [own, HOSTILE_ANSWERS[own]!] as const)) {
        const bank = await startHostileInstitution(password!);
        bank.answer(hostility);
        const story = { folder, entry, adapter: against(folder, () => bank.url) };
        const organizationId = randomUUID();
        const both = [await world.connect(story, organizationId), await world.connect(story, organizationId)];
        cases.push({ name, bank, both, posts: [], codes: [] });
      }
      // Syncs both connections at the same time, then one after the other; and one of them on the next day.
      for (const which of days === 1 ? [[0, 1], [0]] : [[0, 1], [0], [1], [0]]) {
        const before = cases.map(({ bank }) => bank.passwords);
        const runs = await Promise.all(cases.map(({ both }) => Promise.all(which.map((n) => world.start(both[n]!)))));
        await world.drain();
        for (const [n, own] of cases.entries()) {
          own.posts.push(own.bank.passwords - before[n]!);
          for (const run of runs[n]!) own.codes.push((await world.look(run)).run.errorCode);
        }
        world.advance(cases[0]!.posts.length < 3 ? 2 * HOUR_MS : 24 * HOUR_MS);
      }
    }, STAGE_TIMEOUT_MS);
    afterAll(async () => {
      await Promise.all(cases.map(({ bank }) => bank.close()));
      await world.stop();
    });

    test.each(names)('%s', (name) => {
      const { posts, codes } = cases.find((one) => one.name === name)!;
      const [first = 0, second = 0, third = 0, nextDay] = posts;
      expect(first).toBeGreaterThan(0);
      // A ticket cannot lock an account: only each run is limited, and each round has the runs of two connections.
      const counted = folder.manifest.cannotLock ? [first / 2, second / 2, third / 2] : [first + second + third];
      for (const count of counted) expect(count).toBeLessThanOrEqual(SYNC_LIMITS.unclearLoginsMax);
      if (days === 2) expect([1, 2]).toContain(nextDay);
      expect(codes.filter((code) => !code?.startsWith('source.'))).toEqual([]);
    });

    test('no password leaves but through the gate', async () => {
      const [{ bank, both }] = cases as [Case];
      const io = {
        now: world.nowMs,
        wait: async () => {},
        turn: async () => {},
        signal: new AbortController().signal,
        settings: {} as never,
        redactor: createRedactor(),
        login: async () => {
          throw new Error('closed');
        },
      } satisfies SourceIo;
      const before = bank.passwords;
      const request = { credentials: entry.credentials, metadata: both[0]!.metadata as never };
      await expect(against(folder, () => bank.url).connect(request, io)).rejects.toThrow('closed');
      expect(bank.passwords).toBe(before);
    });
  });
};

/** The credentials were accepted before: the attempts are not limited per day, and each run makes at most two. */
export const describeAcceptedLogins = (folder: SourceFolder, names: readonly string[]): void => {
  describe('known to the institution', () => {
    const entry = entryOf(folder);
    const [password] = passwordsOf({ folder, entry } as never);
    let world: SourceWorld;
    beforeAll(async () => {
      captureLog();
      world = await startSourceWorld([folder], { table: 'quick' });
    });
    afterAll(() => world.stop());

    test(
      'accepted before: at most two in each run, and a sync as soon as the institution is back',
      async () => {
        const sandbox = folder.createSandbox({ now: world.nowMs, knobs: {} });
        const sandboxUrl = await sandbox.listen(0);
        const bank = await startHostileInstitution(password!);
        let url = sandboxUrl;
        const connection = await world.connect({ folder, entry, adapter: against(folder, () => url) });
        const ended = async () => {
          const run = await world.start(connection, inputOf(folder, ['2026-11']));
          await world.drain();
          world.advance(HOUR_MS);
          return (await world.look(run)).run;
        };
        try {
          expect((await ended()).status).toBe('succeeded');
          url = bank.url;
          for (const name of names) {
            bank.answer(HOSTILE_ANSWERS[name]!);
            const before = bank.passwords;
            const { status, outcomes } = await ended();
            // A scope without open tenders requests nothing, so nothing of it fails.
            const asking = Object.values(outcomes).filter(
              ({ notices }) => !notices.some(({ code }) => code.endsWith('.no_tenders')),
            );
            expect(new Set(asking.map((outcome) => outcome.status)), name).toEqual(new Set(['failed']));
            expect(status, name).toBe(asking.length === Object.keys(outcomes).length ? 'failed' : 'partial');
            expect([1, SYNC_LIMITS.unclearLoginsMax], name).toContain(bank.passwords - before);
          }
          url = sandboxUrl;
          expect((await ended()).status).toBe('succeeded');
        } finally {
          await Promise.all([bank.close(), sandbox.close()]);
        }
      },
      STAGE_TIMEOUT_MS,
    );

    test(
      'refused: a person tries them once a run, a schedule does not',
      async () => {
        const wrong = folder.credentials.find(({ outcomes }) => outcomes['*'] === 'source.invalid_credentials')!;
        const story = await startStory(folder, wrong);
        let posts = 0;
        const adapter: typeof story.adapter = {
          ...story.adapter,
          connect: (request, io) => {
            const login: SourceIo['login'] = (made) =>
              io.login(() => {
                posts++;
                return made();
              });
            return story.adapter.connect(request, { ...io, login });
          },
        };
        try {
          const connection = await world.connect({ folder, entry: wrong, adapter });
          const ended = async (trigger: 'manual' | 'schedule') => {
            const before = posts;
            const run = await world.start(connection, inputOf(folder, ['2026-11']), trigger);
            await world.drain();
            const looked = await world.look(run);
            return {
              posts: posts - before,
              code: looked.run.errorCode,
              message: looked.run.errorMessage ?? '',
              ...looked,
            };
          };
          expect(await ended('manual')).toMatchObject({ posts: 1, code: 'source.invalid_credentials' });
          const scheduled = await ended('schedule');
          expect(scheduled).toMatchObject({
            posts: 0,
            code: 'source.invalid_credentials',
            connection: { status: 'error' },
          });
          expect(scheduled.message).toContain('Not tried: these credentials were refused before.');
          expect(await ended('manual')).toMatchObject({ posts: 1, code: 'source.invalid_credentials' });
        } finally {
          await story.close();
        }
      },
      STAGE_TIMEOUT_MS,
    );
  });
};
