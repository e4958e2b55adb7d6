/**
 * `kill -9` of the whole stack at fifty random moments of a sync of all sources at once, and a start on the remaining
 * data: all runs end right, and rows equal the institutions' ledgers.
 *
 * `KILLS_SEED` (printed) chooses the scopes of every story and its moment, as a share of an undisturbed sync; `KILLS`
 * is the number of stories, `KILLS_ONLY=17` selects only that one.
 */
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { betrayed } from '#test/helpers/e2e-canaries.ts';
import { type ChildStack, startChild, temporaryFolder } from '#test/helpers/e2e-child.ts';
import { type Random, randomFrom } from '#test/helpers/random.ts';
import { type Receiver, startReceiver } from '#test/integration/webhooks/receiver.ts';
import { connectAll, endOfAll, expectRight, expectTold, leaveEvening, runsOf, startAll } from './fifty-kills-story.ts';

/** A lease, its margin, and the minute of the sweeper. */
const LEASES_MS = 180_000;
const STORY_TIMEOUT_MS = 300_000;
const PARTS = 10_000;

const seed = Number(process.env.KILLS_SEED ?? Math.floor(Math.random() * 2 ** 31));
const { KILLS = '50', KILLS_ONLY } = process.env;
const numbers = KILLS_ONLY ? [Number(KILLS_ONLY)] : Array.from({ length: Number(KILLS) }, (_, n) => n + 1);
const storyOf = (number: number): Random => randomFrom(seed + number);
const stories = numbers.map((number) => [number, storyOf(number).int(0, PARTS) / PARTS] as const);

const dataFolder = temporaryFolder();
/** Runs that were open when a restart found them, by story. */
const interrupted: number[] = [];
let receiver: Receiver;
let endpointId: string;
let stack: ChildStack;
let undisturbedMs: number;

beforeAll(async () => {
  receiver = await startReceiver((_, response) => response.writeHead(204).end());
  stack = await startChild(dataFolder);
  endpointId = (await stack.api.subscribe(receiver.url)).id;
  await leaveEvening(stack);
  const connections = await connectAll(stack, storyOf(0));
  expect(connections.map(({ source }) => source).toSorted()).toEqual([
    'bankone',
    'bankthree',
    'banktwo',
    'procurement',
    'tax',
  ]);
  // The first start compiles everything: the second one shows how long a sync takes from then on.
  for (let n = 1; n <= 2; n++) {
    const started = await startAll(stack, connections);
    const beganMs = performance.now();
    const runs = await endOfAll(stack, started);
    undisturbedMs = performance.now() - beganMs;
    if (n === 1) await expectRight(stack, started, runs);
    await expectTold(stack, endpointId, receiver, started);
  }
}, STORY_TIMEOUT_MS);

afterAll(async () => {
  await stack.end();
  await receiver.stop();
  const betrayals = betrayed(dataFolder, stack.api, []);
  rmSync(dataFolder, { recursive: true, force: true });
  expect(betrayals).toEqual([]);
  // A sync that ends before it can be killed proves nothing.
  expect(interrupted.filter((open) => open > 0).length).toBeGreaterThanOrEqual(interrupted.length / 2);
});

describe(`killed, KILLS_SEED=${seed}`, () => {
  test.each(stories)(
    'number %i, at %f of a sync',
    async (number, moment) => {
      await leaveEvening(stack);
      const connections = await connectAll(stack, storyOf(number));
      const started = await startAll(stack, connections);
      await sleep(moment * undisturbedMs);
      await stack.kill();
      stack = await startChild(dataFolder);
      interrupted.push((await runsOf(stack, started)).filter((run) => run.finished_at === null).length);
      await stack.doors.advance(LEASES_MS);
      await expectRight(stack, started, await endOfAll(stack, started));
      await expectTold(stack, endpointId, receiver, started);
    },
    STORY_TIMEOUT_MS,
  );
});
