/** What a run reports about its progress, and how often: a message costs as much as a lease renewal. */
import { randomUUID } from 'node:crypto';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test, vi } from 'vitest';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
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
