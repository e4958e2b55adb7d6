/**
 * A table, bucket or queue that refuses calls as too busy: every run succeeds, and no attempt is lost. AWS's names of the
 * refusals come from its documents; no emulator refuses like this.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { findSummary } from '#shared/rows/index/page-index.store.ts';
import { readPage } from '#shared/rows/read/read-page.store.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { isTerminal } from '#shared/sync/run.rules.ts';
import { startRun } from '#shared/sync/start-run.ts';
import * as tasks from '#shared/sync/task/task.store.ts';
import { startQuickTable } from '#test/fakes/quick-table.ts';
import { sampled, runs as share } from '#test/helpers/effort.ts';
import type { EngineWorld } from '#test/helpers/engine.ts';
import { type Random, randomFrom } from '#test/helpers/random.ts';
import { useScriptedEngine } from './scripted-engine.ts';

/** A wait for a busy service takes no real time: it moves the engine's clock. */
const virtual = vi.hoisted(() => ({ advance: (_: number): void => undefined }));
vi.mock('node:timers/promises', async (original) => ({
  ...(await original<object>()),
  setTimeout: async (ms: number) => virtual.advance(ms),
}));

/** Always the simulated table: a time-out of a busy machine's emulator would cost an attempt of its own. */
const scripted = useScriptedEngine(startQuickTable);
let world: EngineWorld;
beforeAll(() => {
  ({ world } = scripted);
});
beforeEach(() => {
  virtual.advance = world.advance;
});

const TABLE = ['ThrottlingException', 'ProvisionedThroughputExceededException', 'RequestLimitExceeded'];
const NAMES: Readonly<Record<string, readonly string[]>> = {
  BatchWriteCommand: TABLE,
  BatchGetCommand: TABLE,
  UpdateCommand: TABLE,
  GetCommand: TABLE,
  QueryCommand: TABLE,
  TransactWriteCommand: [...TABLE, 'TransactionCanceledException'],
  PutObjectCommand: ['SlowDown', 'ServiceUnavailable'],
  GetObjectCommand: ['SlowDown', 'ServiceUnavailable'],
  SendMessageCommand: ['RequestThrottled', 'KmsThrottled', 'OverLimit'],
};

const refusalOf = (call: string, n: number): Error => {
  const names = NAMES[call] ?? [];
  const name = names[n % names.length]!;
  const reasons = ['None', 'ThrottlingError', 'ProvisionedThroughputExceeded', 'TransactionConflict'];
  return Object.assign(new Error('busy'), {
    name,
    ...(name === 'TransactionCanceledException' && { CancellationReasons: reasons.map((Code) => ({ Code })) }),
  });
};

/** Syncs two months in minutes of sweeps. Returns how it ended. */
const sync = async (connection: Connection) => {
  const inputMetadata = { periods: ['2026-09', '2026-10'] };
  const order = { runId: randomUUID(), scopes: ['rcv'], inputMetadata, trigger: 'manual' as const };
  const { id } = await quietly(() => startRun(connection, order));
  const find = async () => (await runs.find(world.organizationId, connection.id, id))!;
  let minutes = 0;
  for (; minutes < 60 && !isTerminal(await quietly(find)); minutes++) {
    await world.drain().catch(() => undefined);
    if (isTerminal(await quietly(find))) break;
    world.advance(60_000);
    await world.sweep().catch(() => undefined);
  }
  return { run: await quietly(find), minutes };
};

/** The start of the run and the test's own reads are not refused. */
const quietly = async <T>(work: () => Promise<T>): Promise<T> => {
  isQuiet = true;
  try {
    return await work();
  } finally {
    isQuiet = false;
  }
};
let isQuiet = false;

const expectWhole = async (
  connection: Connection,
  { run, minutes }: Awaited<ReturnType<typeof sync>>,
  what: string,
) => {
  const address = { organizationId: world.organizationId, connectionId: connection.id, scope: 'rcv' };
  const filter = { period: null, facets: {}, days: { from: null, to: null } };
  await quietly(async () => {
    expect(run.outcomes.rcv, what).toMatchObject({ status: 'ok', recordsFound: 6, recordsCreated: 6 });
    expect(run.status, what).toBe('succeeded');
    expect(minutes, what).toBeLessThan(60);
    const page = { address, scope: taxRcv, filter, offset: 0, limit: 200 };
    const { total, rows } = await readPage(page, await findSummary(address));
    expect([total, rows.map(({ folio }) => folio).sort()], what).toEqual([6, ['1', '2', '3', '4', '5', '6']]);
    const task = await tasks.find(world.organizationId, connection.id, run.id, 'rcv');
    expect([task?.attempts, task?.lastErrorCode, task?.lastErrorMessage], what).toEqual([1, null, null]);
  });
};

/** Refuses calls from the first of this kind in a worker on. */
const refuseRow = (kind: string, count: number): (() => number) => {
  let left = count;
  world.refuse((call) => (call === kind && !isQuiet && left > 0 ? refusalOf(call, left--) : undefined));
  return () => left;
};

describe('consecutive calls that are refused', () => {
  const kinds = Object.keys(NAMES).filter((kind) => kind !== 'GetObjectCommand');
  test('GetObjectCommand: 50, by a worker that resumes from stored answers', async () => {
    const connection = await world.connect({ login: 'good' });
    scripted.source.script.stalls = 1;
    world.hurry(1);
    const left = refuseRow('GetObjectCommand', 50);
    const ended = await sync(connection);
    expect(left()).toBe(0);
    await expectWhole(connection, ended, 'GetObjectCommand');
  });

  test.each(kinds)('%s: 1 to 50, and the run succeeds in its first attempt', { timeout: 120_000 }, async (kind) => {
    const counts = [...Array.from({ length: 50 }, (_, n) => n + 1)];
    for (const count of sampled(counts, 7)) {
      scripted.source.reset();
      const connection = await world.connect({ login: 'good' });
      const left = refuseRow(kind, count);
      const ended = await sync(connection);
      expect(left(), `${kind} ${count}: refused calls that are left`).toBe(0);
      world.refuse(null);
      await expectWhole(connection, ended, `${kind} ${count}`);
    }
  });
});

describe('everything is refused', () => {
  test('until the margin of the lease: the task is handed over in the same attempt', async () => {
    const begin = async (seconds: number) => {
      scripted.source.reset();
      const connection = await world.connect({ login: 'good' });
      let untilMs = 0;
      world.refuse((call) => {
        if (call === 'PutObjectCommand' && untilMs === 0) untilMs = nowMs() + seconds * 1_000;
        return !isQuiet && nowMs() < untilMs ? refusalOf(call, 1) : undefined;
      });
      const ended = await sync(connection);
      world.refuse(null);
      await expectWhole(connection, ended, `${seconds} s`);
      const task = await tasks.find(world.organizationId, connection.id, ended.run.id, 'rcv');
      return task!.generation;
    };
    const undisturbed = await begin(0);
    expect(await begin(40)).toBe(undisturbed);
    // The hand-over and the second take of the lease.
    expect(await begin(55)).toBe(undisturbed + 2);
    expect(scripted.source.counts.logins).toBe(1);
  });
});

describe('transactions are refused', () => {
  // Among the first transactions of a run is the one that takes the lease, and it stores an end that was computed before.
  test.each([30, 50, 58, 240])('for %d s, from any of them on: no attempt is lost', async (seconds) => {
    for (let first = 1; first <= 8; first++) {
      scripted.source.reset();
      const connection = await world.connect({ login: 'good' });
      let left = first;
      let untilMs = 0;
      world.refuse((call) => {
        if (isQuiet || call !== 'TransactWriteCommand') return undefined;
        if (--left === 0) untilMs = nowMs() + seconds * 1_000;
        return nowMs() < untilMs ? refusalOf(call, 1) : undefined;
      });
      const ended = await sync(connection);
      world.refuse(null);
      expect(untilMs, `${seconds} s from ${first} on`).toBeGreaterThan(0);
      await expectWhole(connection, ended, `${seconds} s from ${first} on`);
    }
  });
});

describe('a share of all calls', () => {
  const refuseShare = (part: number, random: Random): void =>
    world.refuse((call) =>
      !isQuiet && call in NAMES && random.chance(part) ? refusalOf(call, random.int(0, 9)) : undefined,
    );

  test.each([0.02, 0.05, 0.1])('%d: every run succeeds in its first attempt', { timeout: 300_000 }, async (part) => {
    for (let n = 1; n <= share(300); n++) {
      scripted.source.reset();
      const connection = await world.connect({ login: 'good' });
      refuseShare(part, randomFrom(n));
      const ended = await sync(connection);
      world.refuse(null);
      await expectWhole(connection, ended, `${part}, run ${n}`);
    }
  });
});
