/** What a run reports about its progress, and how often: a message costs as much as a lease renewal. */
import { randomUUID } from 'node:crypto';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test, vi } from 'vitest';
import { listAttention } from '#shared/connections/attention.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { toSyncRun } from '#shared/http/views/sync-run.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { find, findProgresses } from '#shared/sync/run/run.store.ts';
import { startRun } from '#shared/sync/start-run.ts';
import { useScriptedEngine } from './scripted-engine.ts';

const scripted = useScriptedEngine();

const toldBy = async (periods: string[]): Promise<string[]> => {
  const { world } = scripted;
  const send = vi.spyOn(DynamoDBDocumentClient.prototype, 'send');
  const connection = await world.connect({ login: randomUUID() });
  await startRun(connection, { runId: randomUUID(), scopes: ['rcv'], inputMetadata: { periods }, trigger: 'manual' });
  await world.drain();
  const puts = send.mock.calls.flatMap(([command]) => ((command as object) instanceof PutCommand ? [command] : []));
  send.mockRestore();
  const items = puts.map(({ input }) => (input as { Item: { sk: string; progress?: { stage: string } } }).Item);
  return items.filter(({ sk }) => sk.startsWith('PROGRESS#')).map(({ progress }) => progress!.stage);
};

const MONTHS = ['2026-08', '2026-09', '2026-10'];

test('each stage once, where all goes quickly', async () => {
  expect(await toldBy(MONTHS)).toEqual(['connecting', 'downloading', 'finishing']);
});

test('and where it is now after a while', async () => {
  const { world, source } = scripted;
  source.script.beforeFetch = () => world.advance(SYNC_LIMITS.progressEveryMs / 2);
  const stages = await toldBy(MONTHS);
  // Two answers per month: ten seconds pass after each.
  expect(stages).toEqual(['connecting', 'downloading', ...MONTHS.map(() => 'storing'), 'finishing']);
});

test('that the institution waits for a person, until when, and not any more once it is over', async () => {
  const { world, source } = scripted;
  const untilMs = nowMs() + 120_000;
  const seen: unknown[] = [];
  const attention: string[][] = [];
  const connection = await world.connect({ login: randomUUID() });
  const { organizationId, id: connectionId } = connection;
  const runId = randomUUID();
  const look = async (): Promise<void> => {
    // The worker does not wait until the progress is written.
    await vi.waitFor(async () => {
      const progress = (await findProgresses(organizationId, connectionId, [runId])).get(runId);
      if (progress?.message === null && seen.length === 0) throw new Error('not written yet');
      const stored = (await connections.find(organizationId, connectionId))!;
      const expected = seen.length === 0 ? 1 : 0;
      const codes = listAttention(stored, { nowMs: nowMs(), isLoginShared: false });
      if (codes.length !== expected) throw new Error('not written yet');
      attention.push(codes, listAttention(stored, { nowMs: untilMs, isLoginShared: false }));
      seen.push(toSyncRun((await find(organizationId, connectionId, runId))!, progress).progress);
    });
  };
  source.script.connect = async (io) => {
    io.awaitsApproval?.(untilMs);
    await look();
  };
  source.script.beforePull = look;
  await startRun(connection, { runId, scopes: ['rcv'], inputMetadata: { periods: ['2026-10'] }, trigger: 'manual' });
  await world.drain();
  expect(seen[0]).toMatchObject({
    stage: 'connecting',
    message: 'The institution waits for an approval on the phone.',
    waiting_for: 'approval',
    until: new Date(untilMs).toISOString(),
  });
  // After the time has passed it is not reported any more, even if the worker crashed.
  expect(attention).toEqual([['connection.approval_pending'], [], [], []]);
  expect(seen[1]).not.toHaveProperty('waiting_for');
  expect(seen[1]).not.toHaveProperty('until');
});
