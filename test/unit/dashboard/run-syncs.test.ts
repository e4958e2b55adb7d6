/** The walk through the planned syncs: one after the other, with waits, refusals, lost answers and a cancellation. */
import { expect, it } from 'vitest';
import type { SyncRun } from '../../../dashboard/src/api/client.ts';
import { ApiRefusal, LostConnection, toRefusal } from '../../../dashboard/src/api/refusal.ts';
import type { PlannedSync } from '../../../dashboard/src/months/plan-syncs.ts';
import {
  LEFT,
  runSyncs,
  SETTLE_MS,
  type SyncPorts,
  type SyncProgress,
} from '../../../dashboard/src/months/run-syncs.ts';

const sync = (connectionId: string): PlannedSync => ({
  ...{ connectionId, connection: connectionId, scopes: ['rcv'], periods: ['2026-10'] },
});
const run = (status: string): SyncRun => ({ status }) as SyncRun;
const refusal = (status: number, code: string, retryAfterSeconds: number | null = null): ApiRefusal =>
  Object.assign(new ApiRefusal(status, code, '', null), { retryAfterSeconds });

/** Ports that answer the starts and reads from a list: an error is thrown. */
const scripted = (starts: (string | Error)[], reads: (SyncRun | Error)[] = []) => {
  const seen: string[] = [];
  let keys = 0;
  const next = <T>(answers: (T | Error)[], otherwise: T): T => {
    const answer = answers.shift() ?? otherwise;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const ports: SyncPorts = {
    start: async ({ connectionId }, key) => {
      seen.push(`start ${connectionId} ${key}`);
      return next(starts, 'run');
    },
    read: async ({ connectionId }) => {
      seen.push(`read ${connectionId}`);
      return next(reads, run('succeeded'));
    },
    cancel: async ({ connectionId }) => {
      seen.push(`cancel ${connectionId}`);
      return run('cancelled');
    },
    pause: async (ms) => void seen.push(`wait ${ms}`),
    newKey: () => `k${++keys}`,
  };
  return { ports, seen };
};

const walk = async (ids: string[], ports: SyncPorts, signal = new AbortController().signal) => {
  const progress: SyncProgress[] = [];
  const results = await runSyncs(ids.map(sync), ports, signal, (now) => progress.push(now));
  return { results, progress };
};

const outcomes = (results: Awaited<ReturnType<typeof walk>>['results']) =>
  results.map(({ run: ended, refusal: refused }) => ended?.status ?? refused?.code ?? null);

it('follows each run to its end before the next one starts', async () => {
  const { ports, seen } = scripted([], [run('queued'), run('running'), run('succeeded'), run('partial')]);
  const { results, progress } = await walk(['a', 'b'], ports);
  expect(outcomes(results)).toEqual(['succeeded', 'partial']);
  expect(seen).toEqual([
    ...['start a k1', 'read a', 'wait 1000', 'read a', 'wait 1000', 'read a'],
    ...['start b k3', 'read b', `wait ${SETTLE_MS}`].map((step) => step.replace('k3', seen[6]!.split(' ')[2]!)),
  ]);
  expect(progress.at(-1)).toMatchObject({ ended: 2, sync: null, waitSeconds: null });
});

it('waits as long as the service says, and then asks with a new key', async () => {
  const { ports, seen } = scripted([refusal(429, 'rate_limited', 17), refusal(429, 'rate_limited'), 'run']);
  const { results, progress } = await walk(['a'], ports);
  expect(outcomes(results)).toEqual(['succeeded']);
  expect(seen.slice(0, 5)).toEqual(['start a k1', 'wait 17000', 'start a k2', 'wait 10000', 'start a k3']);
  expect(progress.map(({ waitSeconds }) => waitSeconds)).toContain(17);
});

it('asks again with the same key after a lost answer, so that no second run starts', async () => {
  const { ports, seen } = scripted([new LostConnection('x')]);
  await walk(['a'], ports);
  expect(seen.slice(0, 3)).toEqual(['start a k1', 'wait 3000', 'start a k1']);
});

it('gives up after some two minutes without an answer', async () => {
  const { ports, seen } = scripted(Array.from({ length: 99 }, () => new LostConnection('x')));
  await expect(walk(['a', 'b'], ports)).rejects.toThrow(LostConnection);
  expect(seen.filter((step) => step.startsWith('start'))).toHaveLength(41);
});

it.each([
  [409, 'connection_disabled'],
  [404, 'connection_not_found'],
  [422, 'sync_invalid_metadata'],
])('continues after %i %s, which is about one connection', async (status, code) => {
  const { ports } = scripted([refusal(status, code), 'run']);
  expect(outcomes((await walk(['a', 'b'], ports)).results)).toEqual([code, 'succeeded']);
});

it.each([
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [500, 'internal_error'],
])('ends at %i %s, which is about all of them', async (status, code) => {
  const { ports, seen } = scripted([refusal(status, code)]);
  await expect(walk(['a', 'b'], ports)).rejects.toMatchObject({ code });
  expect(seen).toEqual(['start a k1']);
});

it.each([
  ['cancelled', undefined, ['start a k1', 'read a', 'cancel a'], ['cancelled']],
  ['continues at the service when the person leaves', LEFT, ['start a k1', 'read a'], [null]],
] as const)('a run is %s; no other run starts', async (_, reason, steps, ended) => {
  const { ports, seen } = scripted([], [run('running')]);
  const controller = new AbortController();
  const { results } = await walk(
    ['a', 'b'],
    { ...ports, pause: async () => controller.abort(reason) },
    controller.signal,
  );
  expect(seen).toEqual(steps);
  expect(outcomes(results)).toEqual(ended);
});

it('ends a wait for the service when the person cancels', async () => {
  const { ports, seen } = scripted([refusal(429, 'rate_limited', 60)]);
  const controller = new AbortController();
  const { results } = await walk(['a'], { ...ports, pause: async () => controller.abort() }, controller.signal);
  expect([seen, outcomes(results)]).toEqual([['start a k1'], [null]]);
});

it('reads the seconds of Retry-After, and nothing else', () => {
  const seconds = (value: string) =>
    toRefusal(new Response(null, { status: 429, headers: { 'retry-after': value } }), null).retryAfterSeconds;
  expect(['17', '0', 'Fri, 27 Nov 2026 12:00:00 GMT', '-1', '1e3'].map(seconds)).toEqual([17, 0, null, null, null]);
  expect(toRefusal(new Response(null, { status: 429 }), null).retryAfterSeconds).toBeNull();
});
