/**
 * Mirrors that poll from the first sync on, for a year of syncs, month ends and crashes: at the end each holds what the
 * lists show, and another poll receives nothing. They are the programs of the guide, and its sources for dlt.
 *
 * `YEAR_SEED` (printed) chooses the events; `YEAR_MONTHS` the number of months.
 */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { betrayed } from '#test/helpers/e2e-canaries.ts';
import { startChild, temporaryFolder } from '#test/helpers/e2e-child.ts';
import { findMirrors, SLOW } from '#test/helpers/found-mirrors.ts';
import { differences, type Held, listed, type Mirror } from '#test/helpers/mirrors.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { type HeldTenders, servedTenders } from '#test/helpers/tender-mirrors.ts';
import { changesSince, connectionChanges } from '#tools/local/demo/changes.ts';
import { connectAll, synchronizeAll, type Year } from './year-story.ts';

const YEAR_TIMEOUT_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Each month is read twice: during the month, and after its end. */
const STEPS_A_MONTH = 2;
const STEP_DAYS = [13, 17] as const;
const KILLED = 0.4;
/** Share of steps at which slow mirrors poll; otherwise several steps come in one load. */
const SLOW_POLLED = 0.5;
/** A first sync takes longer on any machine. */
const FIRST_KILL_MS = [1_000, 8_000] as const;
/** Estimated duration of later syncs, until one was measured. */
const SYNC_MS = 4_000;

const seed = Number(process.env.YEAR_SEED ?? Math.floor(Math.random() * 2 ** 31));
const steps = STEPS_A_MONTH * Number(process.env.YEAR_MONTHS ?? 12);
const dataFolder = temporaryFolder();
const mirrorFolder = temporaryFolder();
const found = await findMirrors(mirrorFolder);

let year: Year;
let deleted: number;
let tenders: HeldTenders;
const tendersAgain: (number | null)[] = [];
const heldTenders = new Map<string, HeldTenders>();
/** By connection, at the end. */
const shown = new Map<string, Held>();
const held = new Map<string, Map<string, Held>>();
const again = new Map<string, (number | null)[]>();
/** Differences found while no work was under way. */
const betweenSteps: string[] = [];

const isQuick = ({ name }: { name: string }): boolean => name !== SLOW;

const pollAll = async (mirrors: readonly Mirror[]): Promise<void> => {
  for (const mirror of mirrors) await mirror.poll(year.stack.file);
};

const compare = async (mirrors: readonly Mirror[]): Promise<void> => {
  for (const { source, connectionId } of year.connections) {
    const now = await listed(year.stack.file, connectionId);
    for (const mirror of mirrors) {
      const different = differences(await mirror.held(connectionId), now);
      betweenSteps.push(...different.map((line) => `${mirror.name}, ${source}: ${line}`));
    }
  }
};

beforeAll(async () => {
  const quick = found.mirrors.filter(isQuick);
  const slow = found.mirrors.filter((mirror) => !isQuick(mirror));
  const tenderMirrors = found.tenderMirrors.filter(isQuick);
  const slowTenders = found.tenderMirrors.filter((mirror) => !isQuick(mirror));
  const random = randomFrom(seed);
  const stack = await startChild(dataFolder);
  const connections = await connectAll(stack.file);
  const told = { kills: [], killedPolls: 0, polls: 0, runs: [] };
  year = { dataFolder, stack, isUp: true, connections, mirrors: quick, tenderMirrors, random, ...told };
  await synchronizeAll(year, true, random.int(...FIRST_KILL_MS));
  let lastMs = SYNC_MS;
  await pollAll(slow);
  for (let step = 0; step < steps; step++) {
    await year.stack.doors.advance(random.int(...STEP_DAYS) * DAY_MS);
    const isKilled = random.chance(KILLED);
    const beganMs = performance.now();
    await synchronizeAll(year, false, isKilled ? (random.int(0, 100) / 100) * lastMs : undefined);
    if (!isKilled) lastMs = performance.now() - beganMs;
    if (step % STEPS_A_MONTH === 1) {
      await pollAll(quick);
      await compare(quick);
    }
    for (const mirror of slow) await mirror.poll(year.stack.file);
    for (const mirror of slowTenders) if (random.chance(SLOW_POLLED)) await mirror.poll(year.stack.file);
  }
  await pollAll(found.mirrors);
  for (const mirror of found.mirrors) {
    const takenAgain: (number | null)[] = [];
    const all = new Map<string, Held>();
    for (const { connectionId } of connections) {
      takenAgain.push(await mirror.poll(year.stack.file));
      all.set(connectionId, await mirror.held(connectionId));
    }
    again.set(mirror.name, takenAgain);
    held.set(mirror.name, all);
  }
  const whole = connections.map(({ connectionId }) =>
    changesSince(year.stack.file, connectionChanges(connectionId), null),
  );
  deleted = (await Promise.all(whole))
    .flatMap(({ changes }) => changes)
    .filter(({ change }) => change === 'deleted').length;
  for (const mirror of found.tenderMirrors) {
    await mirror.poll(year.stack.file);
    tendersAgain.push(await mirror.poll(year.stack.file));
    heldTenders.set(mirror.name, await mirror.held());
  }
  tenders = await servedTenders(year.stack.file);
  for (const { connectionId } of connections) shown.set(connectionId, await listed(year.stack.file, connectionId));
}, YEAR_TIMEOUT_MS);

afterAll(async () => {
  await year.stack.end();
  const betrayals = betrayed(dataFolder, year.stack.api, []);
  for (const folder of [dataFolder, mirrorFolder]) rmSync(folder, { recursive: true, force: true });
  expect(betrayals).toEqual([]);
});

describe(`YEAR_SEED=${seed}`, () => {
  test('missing programs of this machine are reported', ({ skip }) => {
    if (found.lacking.length > 0) skip(found.lacking.join('; '));
  });

  test('there was something to mirror: syncs that brought rows, kills in their middle, mirrors that died', () => {
    expect(year.runs).toHaveLength((steps + 1) * year.connections.length);
    expect(year.runs.filter(({ status }) => status !== 'succeeded')).toEqual([]);
    const later = year.runs.slice(year.connections.length);
    expect(later.reduce((sum, run) => sum + (run.records_created ?? 0), 0)).toBeGreaterThan(0);
    expect(later.reduce((sum, run) => sum + (run.records_updated ?? 0), 0)).toBeGreaterThan(0);
    expect(deleted).toBeGreaterThan(0);
    expect(year.kills.some((open) => open > 0)).toBe(true);
    expect(year.killedPolls).toBeGreaterThan(0);
  });

  test('mirrors held what the lists showed at the end of each month', () => expect(betweenSteps).toEqual([]));

  test.each(found.mirrors.map(({ name }) => name))('%s holds what the lists show, and takes nothing more', (name) => {
    for (const { source, connectionId } of year.connections)
      expect([source, differences(held.get(name)!.get(connectionId)!, shown.get(connectionId)!)]).toEqual([source, []]);
    expect(again.get(name)).toEqual(year.connections.map(() => 0));
  });

  test.each(found.tenderMirrors.map(({ name }) => name))('%s holds the tenders that are served', (name) => {
    expect(Object.keys(tenders).length).toBeGreaterThan(0);
    expect(heldTenders.get(name)).toEqual(tenders);
  });

  test('copies of tenders take nothing more', () => expect(tendersAgain).toEqual(found.tenderMirrors.map(() => 0)));
});
