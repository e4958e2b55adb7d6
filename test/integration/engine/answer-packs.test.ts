/** Packs of raw answers: when they are stored, what a death costs, and how an answer is found by its id. */
import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { AskSource, Redactor } from '#shared/sources/source.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { unpack } from '#shared/sync/reading/raw-answer.store.ts';
import { rawAnswerLog } from '#shared/sync/reading/raw-answer-log.ts';
import { newTask, type SyncTask } from '#shared/sync/task/task.rules.ts';
import { useScriptedEngine } from './scripted-engine.ts';

const scripted = useScriptedEngine();
const OPEN_REDACTOR = { text: (text: string) => text, withoutSecrets: (body: Uint8Array) => body } as Redactor;

const newWork = (): SyncTask => ({
  ...newTask(
    {
      organizationId: randomUUID(),
      connectionId: randomUUID(),
      runId: randomUUID(),
      source: 'tax',
      scope: 'rcv',
    },
    0,
  ),
  attempts: 1,
});

const openLog = (task: SyncTask, isResumed = false) =>
  rawAnswerLog({
    unit: '2026-10',
    isResumed,
    task: () => task,
    onBytes: () => undefined,
    onKept: async () => undefined,
    signal: new AbortController().signal,
    redactor: OPEN_REDACTOR,
  });

/** Asks for answers 0 to `count` - 1, and counts those that had to be fetched. */
const askAll =
  (count: number, fetched: string[], bytes = 4) =>
  async (ask: AskSource) => {
    for (let n = 0; n < count; n++)
      await ask(`part-${n}`, async () => {
        fetched.push(`part-${n}`);
        return { request: { n }, contentType: null, body: Buffer.alloc(bytes, `${n % 10}`) };
      });
  };

const packsOf = ({ connectionId }: SyncTask): number =>
  [...scripted.world.objects.keys()].filter((name) => name.includes(connectionId)).length;

test('a month of 40 small answers is stored in 3 objects, and each id finds its answer', async () => {
  const task = newWork();
  const fetched: string[] = [];
  const collected = await openLog(task).collect(askAll(40, fetched));
  expect(collected.map(({ answer }) => answer.key)).toEqual(fetched);
  expect(packsOf(task)).toBe(3);
  for (const { id, answer } of collected) {
    const object = scripted.world.objects.get(`${task.organizationId}/${task.connectionId}/${id}`)!;
    const found = unpack(gunzipSync(object)).find((kept) => kept.answer.key === answer.key)!;
    expect(Buffer.from(found.answer.body).equals(Buffer.from(answer.body))).toBe(true);
    expect(found.answer.request).toEqual(answer.request);
  }
});

test.each([1, 15, 16, 17, 31, 39])('a worker that dies after answer %d costs the answers of one pack', async (died) => {
  const task = newWork();
  const first: string[] = [];
  const died$ = Promise.withResolvers<void>();
  void openLog(task).collect(async (ask) => {
    await askAll(died, first)(ask);
    died$.resolve();
    await new Promise(() => undefined);
  });
  await died$.promise;
  const again: string[] = [];
  const collected = await openLog({ ...task, attempts: 2 }, true).collect(askAll(40, again));
  expect(collected).toHaveLength(40);
  const lost = first.filter((key) => again.includes(key));
  expect(lost).toEqual(first.slice(first.length - (died % SYNC_LIMITS.answersPerPackMax)));
});

test('a pull that fails leaves all its answers to the next attempt, which goes on after the last one', async () => {
  const task = newWork();
  const before: string[] = [];
  const failing = openLog(task).collect(async (ask) => {
    await askAll(20, before)(ask);
    throw new Error('HTTP 502');
  });
  await expect(failing).rejects.toThrow('HTTP 502');
  const after: string[] = [];
  // A handover continues the same attempt: its packs must not overwrite the first ones.
  const collected = await openLog(task, true).collect(askAll(40, after));
  expect(after).toEqual(collected.slice(20).map(({ answer }) => answer.key));
  expect(packsOf(task)).toBe(4);
  expect((await openLog(task, true).collect(askAll(40, []))).map(({ id }) => id)).toEqual(
    collected.map(({ id }) => id),
  );
});

test('an answer of 1 MB is stored at once', async () => {
  const task = newWork();
  await openLog(task).collect(async (ask) => {
    for (const n of [1, 2]) {
      await askAll(n, [], SYNC_LIMITS.packBytes)(ask);
      expect(packsOf(task)).toBe(n);
    }
  });
});

test('a pack is stored with the first answer after half a minute', async () => {
  const task = newWork();
  await openLog(task).collect(async (ask) => {
    await askAll(1, [])(ask);
    scripted.world.advance(SYNC_LIMITS.packMs - 1);
    await askAll(2, [])(ask);
    expect(packsOf(task)).toBe(0);
    scripted.world.advance(1);
    await askAll(3, [])(ask);
    expect(packsOf(task)).toBe(1);
  });
});
