/**
 * An institution that answers logins in ways that no adapter knows: each may have cost one of the few tries that an
 * account has. Counted at its server, over all scopes, runs and connections of a login (decisions.md §5, "Logins").
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connection } from '#shared/domain/connection.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { createRedactor } from '#shared/sources/http/redactor.ts';
import type { SandboxCredential } from '#shared/sources/sandbox-credential.ts';
import type { SourceIo } from '#shared/sources/source.ts';
import {
  HOSTILE_ANSWERS,
  type HostileInstitution,
  startHostileInstitution,
} from '#test/helpers/hostile-institution.ts';
import { captureLog } from '#test/helpers/log-lines.ts';
import { loadSources, type SourceFolder } from '#test/helpers/source-folders.ts';
import { type SourceWorld, startSourceWorld } from '#test/helpers/source-world.ts';
import { passwordsOf, STAGE_TIMEOUT_MS } from './stage.ts';

const folders = await loadSources();
const HOUR_MS = 3_600_000;
const HANGS_MS = 2_000;

interface Case {
  name: string;
  bank: HostileInstitution;
  both: Connection[];
  /** Passwords that came, by sync. */
  posts: number[];
  codes: (string | null)[];
}

/** The source as it is, against a server of ours; what it would wait for takes no time. */
const against = (folder: SourceFolder, url: () => string): SourceFolder['source'] => {
  const { source } = folder;
  const own = (io: SourceIo): SourceIo => ({
    ...io,
    settings: {
      baseUrl: url(),
      pace: { callDelayMs: 0, callsMax: Number.MAX_SAFE_INTEGER, windowMs: 0 },
      callTimeoutMs: HANGS_MS,
      downloadTimeoutMs: HANGS_MS,
    },
    wait: async () => {},
  });
  return {
    ...source,
    connect: (request, io) => source.connect(request, own(io)),
    disconnect: (session, io) => source.disconnect(session, own(io)),
    pull: (request, session, ask, io, progress) => source.pull(request, session, ask, own(io), progress),
  };
};

const entryOf = ({ credentials }: SourceFolder): SandboxCredential =>
  credentials.find(({ behaviour, outcomes }) => behaviour === 'works' && Object.keys(outcomes).length === 0)!;

describe.each(folders.map((folder) => [folder.code, folder] as const))('%s', (_code, folder) => {
  const entry = entryOf(folder);
  const [password] = passwordsOf({ folder, entry } as never);
  const cases: Case[] = [];
  let world: SourceWorld;

  /** All cases at the same time, each with an institution and an organization of its own. */
  beforeAll(async () => {
    captureLog();
    world = await startSourceWorld([folder], { table: 'quick' });
    for (const [name, hostility] of Object.entries(HOSTILE_ANSWERS)) {
      const bank = await startHostileInstitution(password!);
      bank.answer(hostility);
      const story = { folder, entry, adapter: against(folder, () => bank.url) };
      const organizationId = randomUUID();
      const both = [await world.connect(story, organizationId), await world.connect(story, organizationId)];
      cases.push({ name, bank, both, posts: [], codes: [] });
    }
    // Both connections at the same time, then each by itself; and one of them on the next day.
    for (const which of [[0, 1], [0], [1], [0]]) {
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

  test.each(Object.keys(HOSTILE_ANSWERS))('%s', (name) => {
    const { posts, codes } = cases.find((one) => one.name === name)!;
    const [first = 0, second = 0, third = 0, nextDay = 0] = posts;
    expect(first).toBeGreaterThan(0);
    expect(first + second + third).toBeLessThanOrEqual(LIMITS.unclearLoginsMax);
    expect([1, 2]).toContain(nextDay);
    expect(codes.filter((code) => !code?.startsWith('source.'))).toEqual([]);
  });

  test('no password leaves but through the gate', async () => {
    const [{ bank, both }] = cases as [Case];
    const io = {
      now: world.nowMs,
      wait: async () => {},
      signal: new AbortController().signal,
      settings: {} as never,
      redactor: createRedactor([]),
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
