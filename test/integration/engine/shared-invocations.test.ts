/** Tasks that share an invocation: they run side by side, and a large or a suspicious one gets an invocation for itself. */
import { randomUUID } from 'node:crypto';
import type { Context, SQSEvent } from 'aws-lambda';
import { afterEach, expect, test } from 'vitest';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { makeScopeWorker } from '#shared/sync/scope-worker.ts';
import { dispatchRun, startRun } from '#shared/sync/start-run.ts';
import { take } from '#shared/sync/task/lease.store.ts';
import * as tasks from '#shared/sync/task/task.store.ts';
import { useScriptedEngine } from './scripted-engine.ts';

const scripted = useScriptedEngine();
const limits: { sharedAnswerBytesMax: number } = SYNC_LIMITS;
const { sharedAnswerBytesMax } = SYNC_LIMITS;
afterEach(() => {
  limits.sharedAnswerBytesMax = sharedAnswerBytesMax;
});

interface Begun {
  connection: Connection;
  runId: string;
}

const begin = async (): Promise<Begun> => {
  const { world } = scripted;
  const connection = await world.connect({ login: `good-${randomUUID()}` });
  const request = { runId: randomUUID(), scopes: ['rcv'], inputMetadata: { periods: ['2026-10'] } };
  const run = await startRun(connection, { ...request, trigger: 'manual' });
  await dispatchRun(world.organizationId, connection.id, run.id);
  return { connection, runId: run.id };
};

const findRun = ({ connection, runId }: Begun) => runs.find(scripted.world.organizationId, connection.id, runId);
const findTask = async ({ connection, runId }: Begun) =>
  (await tasks.find(scripted.world.organizationId, connection.id, runId, 'rcv'))!;

/** Takes the messages of these runs that wait in the scope's queue. */
const takeMessages = (...begun: Begun[]): Record<string, unknown>[] => {
  const { messages } = scripted.world;
  const ids = begun.map(({ runId }) => runId);
  const wanted = messages.filter(({ queue, body }) => queue === 'sync-tax-rcv' && ids.includes(String(body.runId)));
  for (const message of wanted) messages.splice(messages.indexOf(message), 1);
  return wanted.map(({ body }) => body);
};

/** One invocation with these messages. Returns the number of messages that failed. */
const invoke = async (bodies: readonly Record<string, unknown>[]): Promise<number> => {
  const handler = makeScopeWorker(scripted.source, () => taxRcv);
  const Records = bodies.map((body, n) => ({
    ...{ messageId: `m${n}`, receiptHandle: `m${n}`, eventSource: 'aws:sqs' },
    ...{ body: JSON.stringify(body), attributes: {}, messageAttributes: {} },
  }));
  const context = { awsRequestId: randomUUID(), getRemainingTimeInMillis: () => 300_000 };
  const { batchItemFailures } = await handler({ Records } as never as SQSEvent, context as Context);
  return batchItemFailures.length;
};

test('ten tasks of ten logins run at the same time, each once although a message came twice', async () => {
  const begun = await Promise.all(Array.from({ length: 10 }, begin));
  const messages = takeMessages(...begun);
  expect(await invoke([...messages, messages[0]!])).toBe(0);
  const ended = await Promise.all(begun.map(findRun));
  expect(ended.map((run) => run!.status)).toEqual(Array.from({ length: 10 }, () => 'succeeded'));
  expect(scripted.source.counts).toMatchObject({ logins: 10, logouts: 10, openSessions: 0 });
  expect(scripted.source.counts.mostSessionsAtATime).toBeGreaterThan(5);
});

test('a message of an unknown run disturbs no other', async () => {
  const begun = [await begin(), await begin()];
  const messages = takeMessages(...begun);
  const nowhere = { ...messages[0]!, organizationId: randomUUID(), connectionId: 'not an id', kind: 'work' };
  expect(await invoke([...messages, nowhere])).toBe(0);
  expect((await Promise.all(begun.map(findRun))).map((run) => run!.status)).toEqual(['succeeded', 'succeeded']);
});

test('a large month is handed over when its size is known, and then has an invocation for itself', async () => {
  const { source } = scripted;
  const [large, other, third] = [await begin(), await begin(), await begin()];
  const asked: string[] = [];
  source.script.beforeFetch = (_, key) => void asked.push(key);
  limits.sharedAnswerBytesMax = 1;
  await invoke(takeMessages(large, third));
  limits.sharedAnswerBytesMax = sharedAnswerBytesMax;
  expect(await findTask(large)).toMatchObject({ state: 'handover', runsAlone: true, attempts: 1 });
  const requests = asked.length;

  const first = takeMessages(large, other);
  expect(first).toHaveLength(2);
  await invoke(first);
  expect((await findRun(large))!.status).toBe('succeeded');
  expect((await findTask(large)).attempts).toBe(1);
  // The other message was sent again, and its task did not begin.
  expect((await findTask(other)).state).toBe('queued');
  expect(asked.slice(requests)).toEqual(['second']);
  await invoke(takeMessages(other));
  expect((await findRun(other))!.status).toBe('succeeded');
  expect((await findTask(other)).runsAlone).toBeUndefined();
});

test.each([
  ['in an invocation that it shared costs no attempt, and the next worker shares none', true, 1],
  ['in an invocation of its own costs an attempt', false, 2],
])('a death %s', async (_, isShared, attempts) => {
  const { world } = scripted;
  const [died, other] = [await begin(), await begin()];
  takeMessages(died);
  await take(await findTask(died), null, { isShared, periods: ['2026-10'] });
  world.advance(5 * 60_000);
  await world.sweep();
  await invoke(takeMessages(died, other));
  expect((await findRun(died))!.status).toBe('succeeded');
  expect(await findTask(died)).toMatchObject({ attempts, isShared: !isShared });
  expect((await findTask(died)).sharedDeaths).toBe(isShared ? 1 : undefined);
  expect((await findTask(other)).state).toBe(isShared ? 'queued' : 'ended');
});

test('after a death in company in its last attempt a task runs once more, and after one alone it ends', async () => {
  const { world } = scripted;
  for (const isShared of [true, false]) {
    const died = await begin();
    takeMessages(died);
    const task = await tasks.move(await findTask(died), { attempts: SYNC_LIMITS.scopeAttemptsMax - 1 });
    await take(task, null, { isShared, periods: ['2026-10'] });
    world.advance(5 * 60_000);
    await world.sweep();
    await invoke(takeMessages(died));
    expect((await findRun(died))!.status).toBe(isShared ? 'succeeded' : 'failed');
  }
});
