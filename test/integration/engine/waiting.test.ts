/**
 * A task that is woken and cannot continue passes the free slot or lease to the next waiting task: no task waits for a
 * sweep.
 */
import { randomUUID } from 'node:crypto';
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { taxGuias } from '#shared/scopes/tax-guias.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { cancelRun } from '#shared/sync/end/finish-run.ts';
import { wakeAfter } from '#shared/sync/login/wake-waiters.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import type { SyncRun } from '#shared/sync/run.rules.ts';
import { startRun } from '#shared/sync/start-run.ts';
import { OutOfTime } from '#shared/sync/task/heartbeat.ts';
import { takeForRepair } from '#shared/sync/task/lease.store.ts';
import { scriptedSource } from '#test/fakes/scripted-source.ts';
import { type EngineWorld, startEngine } from '#test/helpers/engine.ts';

const source = scriptedSource();
let world: EngineWorld;
let login: string;
beforeAll(async () => {
  world = await startEngine(source, taxRcv, [taxGuias]);
});
afterAll(() => world.stop());
beforeEach(() => {
  source.reset();
  login = randomUUID();
});

const connect = (): Promise<Connection> => world.connect({ login });

const start = (connection: Connection, scopes: string[] = ['rcv']): Promise<SyncRun> =>
  startRun(connection, {
    runId: randomUUID(),
    scopes,
    inputMetadata: { periods: ['2026-09'] },
    trigger: 'manual',
  });

const statusOf = async ({ organizationId, connectionId, id }: SyncRun): Promise<string | undefined> =>
  (await runs.find(organizationId, connectionId, id))?.status;

/** A sweep that repairs a period of the scope. */
const repair = async ({ organizationId, id }: Connection, scope: string): Promise<() => Promise<void>> => {
  const { lease, done } = await takeForRepair({ organizationId, connectionId: id, scope });
  return async () => {
    await done();
    await wakeAfter(lease, null);
  };
};

/** Does something while a worker has the login's one session. */
const meanwhile = (act: () => Promise<unknown>): void => {
  source.script.beforePull = async () => void (await act());
};

test('woken for a session while its lease is taken: the next one who waits for the session has it', async () => {
  const [holder, first, second] = [await connect(), await connect(), await connect()];
  let waiting: SyncRun[] = [];
  let repaired = async (): Promise<void> => {};
  meanwhile(async () => {
    waiting = [await start(first), await start(second)];
    await world.drain();
    repaired = await repair(first, 'rcv');
  });
  await start(holder);
  await world.drain();
  expect(await Promise.all(waiting.map(statusOf))).toEqual(['running', 'succeeded']);
  await repaired();
  await world.drain();
  expect(await Promise.all(waiting.map(statusOf))).toEqual(['succeeded', 'succeeded']);
});

test('woken as the next scope of its run while its lease is taken: another connection has the session', async () => {
  const [holder, other] = [await connect(), await connect()];
  // The source would return documents of another scope.
  source.script.folios = {};
  let waiting: SyncRun | undefined;
  let repaired = async (): Promise<void> => {};
  meanwhile(async () => {
    waiting = await start(other);
    await world.drain();
    repaired = await repair(holder, 'guias');
  });
  const run = await start(holder, ['rcv', 'guias']);
  await world.drain();
  expect(await statusOf(run)).toBe('running');
  expect(await statusOf(waiting!)).toBe('succeeded');
  await repaired();
  await world.drain();
  expect(await statusOf(run)).toBe('succeeded');
});

/** Holds back messages sent from now on, until the returned function is called. */
const holdBack = (): (() => void) => {
  const held: EngineWorld['messages'] = [];
  const push = world.messages.push;
  world.messages.push = (...messages) => held.push(...messages);
  return () => {
    world.messages.push = push;
    world.messages.push(...held);
  };
};

/** A run that stopped in the middle, with its next message held back, and another run that waits for their session. */
const holderAndWaiting = async () => {
  const [holder, other] = [await connect(), await connect()];
  let waiting: SyncRun | undefined;
  let letGo = (): void => {};
  source.script.failures = [new OutOfTime()];
  meanwhile(async () => {
    waiting = await start(other);
    await world.drain();
    letGo = holdBack();
  });
  const run = await start(holder);
  await world.drain();
  return { holder, run, waiting: waiting!, letGo };
};

test('handed over while its lease is taken: the task that waits for the session gets it', async () => {
  const { holder, run, waiting, letGo } = await holderAndWaiting();
  const repaired = await repair(holder, 'rcv');
  letGo();
  await world.drain();
  expect(await statusOf(waiting)).toBe('succeeded');
  await repaired();
  await world.drain();
  expect(await statusOf(run)).toBe('succeeded');
});

test('cancelled before its message came: the task that waits for the session gets it', async () => {
  const { run, waiting, letGo } = await holderAndWaiting();
  await cancelRun(run.organizationId, run.connectionId, run.id);
  letGo();
  await world.drain();
  expect(await statusOf(run)).toBe('cancelled');
  expect(await statusOf(waiting)).toBe('succeeded');
});

/** Does something just before the next worker takes a lease, after it has read its task. */
const beforeLease = (act: () => Promise<unknown>): void => {
  const { send } = DynamoDBDocumentClient.prototype;
  const spy = vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(async function (
    this: DynamoDBDocumentClient,
    ...args: unknown[]
  ) {
    const [command] = args;
    if (command instanceof TransactWriteCommand && JSON.stringify(command.input).includes('LEASE#')) {
      spy.mockRestore();
      await act();
    }
    return (send as (...given: unknown[]) => Promise<unknown>).apply(this, args);
  });
};

test('cancelled while its worker takes the lease: the task that waits for the session gets it', async () => {
  const { run, waiting, letGo } = await holderAndWaiting();
  letGo();
  beforeLease(() => cancelRun(run.organizationId, run.connectionId, run.id));
  await world.drain();
  expect(await statusOf(run)).toBe('cancelled');
  expect(await statusOf(waiting)).toBe('succeeded');
});
