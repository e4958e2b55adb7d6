/** A short form of `npm run faults`: the long one takes as long as its number of histories. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { IS_WHOLE, runs } from '#test/helpers/effort.ts';

const RUN = join(import.meta.dirname, '../../faults/run.ts');
const HISTORIES = runs(80);

// Histories run in a child process, which makes time, randomness and the SDK's clients virtual.
const faults = async (...options: string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, [RUN, ...options])).stdout;

test('no invariant is violated, under any faults', { timeout: 600_000 }, async () => {
  const told = await faults('--histories', String(HISTORIES));
  expect(told).toContain(`histories   ${HISTORIES}, seeds 1 to ${HISTORIES}`);
  expect(told).toMatch(/^violations {2}0$/m);
  // Histories without faults would prove nothing.
  const count = (name: string) => Number(new RegExp(`^${name} +(\\d+)`, 'm').exec(told)?.[1]);
  expect(count('faults')).toBeGreaterThan(HISTORIES);
  expect(count('attempts')).toBeGreaterThan(HISTORIES);
  expect(told).toMatch(/^runs .*\d+ succeeded/m);
});

test.runIf(IS_WHOLE)('a seed is the same history every time', { timeout: 300_000 }, async () => {
  const [first, second] = await Promise.all([faults('--replay', '5'), faults('--replay', '5')]);
  expect(second).toBe(first);
});

test.each([
  [10_011_014, 'a right statement shows no stored movement: the next reading decides'],
  [10_023_637, 'a scope of a scheduled run begins at the full minute, while another task waits for the login'],
  [10_034_477, 'a lease is stored when its margin has begun'],
  [20_004_033, 'a row whose document came late leaves its month'],
  [30_004_119, 'a worker that stalled stores the answers of its own reading when another has begun the next'],
  [75_776, 'a holder whose slot had ended gives it back to its run while another run takes it'],
  [50_011_303, 'a checkpoint is stored while the sweeper looks at the task'],
])('seed %i: %s', async (seed) => {
  expect(await faults('--replay', String(seed))).toMatch(/^violations {2}0$/m);
});
