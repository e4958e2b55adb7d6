/** Sweeps with more due items than a sweep can handle, with items that cannot be handled, and with slow queues. */
import { randomUUID } from 'node:crypto';
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { AwsClientStub } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { nowIso, plantClock } from '#shared/platform/clock.ts';
import { newId } from '#shared/platform/ids.ts';
import { RECOVERY_LIMITS } from '#shared/recovery/limits.ts';
import { sweep } from '#shared/recovery/sweep.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { queuedRun } from '#shared/sync/start-run.ts';
import { dueIn, postponeEntry, postponeFailed } from '#shared/table/due-index.ts';
import { countFailures, dueShards, dueUpTo, parseDueMs } from '#shared/table/due-keys.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { mockAwsClient } from '#test/fakes/aws-client.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { fakeScheduler } from '#test/fakes/scheduler.ts';
import { storeLostRun, storeStuck, storeWaiting } from '#test/helpers/due-load.ts';
import { captureLog } from '#test/helpers/log-lines.ts';

const MINUTE_MS = 60_000;
const FAR = dueUpTo('2099');
let server: EngineTable;
let sqs: AwsClientStub<SQSClient>;
let scheduler: ReturnType<typeof fakeScheduler>;
let clockMs = Date.parse('2026-11-21T12:00:00.000Z');
/** Bodies of the messages since the last minute began. */
let sent: { runId?: string }[] = [];
let queueLength = 0;
let organizationId: string;

beforeAll(async () => {
  server = await startEngineTable();
  process.env.QUEUE_URL_PREFIX = 'http://127.0.0.1/';
  plantClock(() => clockMs);
  scheduler = fakeScheduler();
  sqs = mockAwsClient(SQSClient);
  sqs.on(SendMessageCommand).callsFake(async ({ MessageBody }) => {
    sent.push(JSON.parse(MessageBody));
    return {};
  });
  sqs.on(GetQueueAttributesCommand).callsFake(async () => ({
    Attributes: { ApproximateNumberOfMessages: String(queueLength) },
  }));
});
afterAll(async () => {
  plantClock(undefined);
  sqs.restore();
  scheduler.restore();
  await server.stop();
});

const entries = async () => {
  const all = [];
  for (const shard of dueShards()) for await (const page of table.queryDuePages(shard, FAR)) all.push(...page);
  return all;
};

beforeEach(async () => {
  vi.stubEnv('POWERTOOLS_METRICS_DISABLED', 'false');
  organizationId = randomUUID();
  queueLength = 0;
  await table.batchWrite({ removes: await entries() });
  // The first sweep of a day compares schedules.
  await minute();
});

const minute = async (remainingMs?: () => number): Promise<void> => {
  clockMs += MINUTE_MS;
  sent = [];
  await sweep(remainingMs);
};

/** Metric lines of a sweep. */
const metricsOf = async (task: () => Promise<void>): Promise<Record<string, unknown>[]> => {
  const captured = captureLog();
  await task();
  const lines = captured.text().split('\n').filter(Boolean);
  vi.restoreAllMocks();
  return lines.map((line) => JSON.parse(line)).filter(({ _aws }) => _aws !== undefined);
};

test('a lost run is found by the first sweep behind scopes that wait in a slow queue', async () => {
  await storeWaiting(organizationId, 1_200);
  queueLength = 1_200;
  clockMs += 1_000;
  const runId = await storeLostRun(organizationId);
  await minute();
  await minute();
  // Nothing else: the other scopes are in their queue.
  expect(sent.map((body) => body.runId)).toEqual([runId]);
});

test('a sweep that has no time handles nothing and reports how long the run waits', async () => {
  await storeLostRun(organizationId);
  clockMs += 20 * MINUTE_MS;
  const metrics = await metricsOf(() => minute(() => RECOVERY_LIMITS.sweepLeftMs));
  expect(sent).toEqual([]);
  expect(metrics).toContainEqual(expect.objectContaining({ kind: 'run', OldestDueAge: 20 * 60 }));
  await minute();
  expect(sent).toHaveLength(1);
});

test('a run that is under way is reported once an hour', async () => {
  const connectionId = randomUUID();
  const connection = { id: connectionId, organizationId, source: 'tax' };
  const request = { runId: newId(), scopes: ['rcv'], inputMetadata: {}, trigger: 'manual' } as const;
  const { id, ...queued } = queuedRun(connection as never, { ...request, scopes: ['rcv'] });
  const key = keys.run(organizationId, connectionId, id);
  await table.put({ ...key, ...runs.runItem.toItem({ id, ...queued }) });
  await runs.start({ organizationId, connectionId, id }, nowIso());
  await table.batchWrite({ removes: [keys.task(organizationId, connectionId, id, 'rcv')] });
  const reported: number[] = [];
  for (let n = 1; n <= 125; n++) {
    const captured = captureLog();
    await minute();
    if (captured.text().includes('a run is still under way')) reported.push(n);
    vi.restoreAllMocks();
  }
  expect(reported).toEqual([60, 120]);
});

describe('an item that cannot be handled', () => {
  test('holds nothing up and is tried after 1, 2, 4, 8 and then every 16 minutes; each failure is counted', async () => {
    await storeStuck(organizationId, 120);
    clockMs += 1_000;
    const runId = await storeLostRun(organizationId);
    const tried: number[] = [];
    for (let n = 0; n < 64; n++) {
      const metrics = await metricsOf(() => minute());
      const failures = metrics.find(({ SweepFailures }) => SweepFailures !== undefined)?.SweepFailures;
      if (n === 0) expect(sent.map((body) => body.runId)).toEqual([runId]);
      if (failures !== undefined) tried.push(n);
      if (failures !== undefined) expect(failures).toBe(8 * 120);
    }
    expect(tried).toEqual([0, 1, 3, 7, 15, 31, 47, 63]);
  });

  test('is due when its owner says so, if the owner changed it in the meantime; then its failures count from one again', async () => {
    await storeStuck(organizationId, 1);
    const [entry] = await entries();
    await postponeFailed(entry!, 8 * MINUTE_MS, 4);
    const moved = (await entries()).find(({ pk }) => pk === entry!.pk)!;
    expect([countFailures(moved), parseDueMs(moved) - clockMs]).toEqual([4, 8 * MINUTE_MS]);
    await table.update(moved, { set: dueIn(moved, 5_000) });
    await postponeFailed(moved, 16 * MINUTE_MS, 5);
    await postponeEntry(moved, 16 * MINUTE_MS);
    const owned = (await entries()).find(({ pk }) => pk === entry!.pk)!;
    expect([countFailures(owned), parseDueMs(owned) - clockMs]).toEqual([0, 5_000]);
  });

  test('that was removed is not stored again', async () => {
    await storeStuck(organizationId, 1);
    const gone = await entries();
    await table.batchWrite({ removes: gone });
    for (const entry of gone) await postponeFailed(entry, MINUTE_MS, 1);
    expect(await entries()).toEqual([]);
  });
});

describe('scopes whose message has not arrived', () => {
  test('are sent at once if their worker died, however slow the queue is', async () => {
    await storeWaiting(organizationId, 2);
    queueLength = 5_000;
    const [dead] = await entries();
    await table.update(dead!, { set: { state: 'working', tries: 1, ...dueIn(dead!, 75_000) } });
    await minute();
    expect(sent).toEqual([]);
    await minute();
    expect(sent).toHaveLength(1);
  });

  test('get no reminder while their queue is slow, and one as soon as it is short', async () => {
    await storeWaiting(organizationId, 20);
    queueLength = 100;
    for (let n = 0; n < 20; n++) {
      await minute();
      expect(sent).toEqual([]);
    }
    queueLength = 99;
    let reminded = 0;
    for (let n = 0; n < RECOVERY_LIMITS.slowLookMs / MINUTE_MS; n++) {
      await minute();
      reminded += sent.length;
    }
    expect(reminded).toBeGreaterThanOrEqual(20);
  });

  test('get one after an hour in a slow queue, and one after each further hour', async () => {
    await storeWaiting(organizationId, 3);
    queueLength = 5_000;
    const at: number[] = [];
    for (let n = 1; n <= 130; n++) {
      await minute();
      for (const _ of sent) at.push(n);
    }
    expect(at).toEqual([60, 60, 60, 120, 120, 120]);
  });
});
