/** A short form of `npm run faults -- --lists`. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { IS_WHOLE, runs } from '#test/helpers/effort.ts';

const RUN = join(import.meta.dirname, '../../faults/run.ts');
const HISTORIES = runs(2_000);

const faults = async (...options: string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, [RUN, '--lists', ...options])).stdout;

test('each page shows what the connections were while it was read, under any faults', {
  timeout: 120_000,
}, async () => {
  const told = await faults('--histories', String(HISTORIES));
  expect(told).toContain(`histories   ${HISTORIES}, seeds 1 to ${HISTORIES}`);
  expect(told).toMatch(/^violations {2}0$/m);
  // Without pages and changes, the histories would prove nothing.
  const count = (what: string) => Number(new RegExp(`(\\d+) ${what}\\b`).exec(told)?.[1]);
  expect(count('read done')).toBeGreaterThan(10 * HISTORIES);
  for (const what of ['create done', 'change done', 'endRun done', 'remove done', 'waitForPerson done'])
    expect(count(what), what).toBeGreaterThan(HISTORIES / 10);
  for (const what of ['read died', 'read error', 'change died', 'endRun died'])
    expect(count(what), what).toBeGreaterThan(0);
});

test.runIf(IS_WHOLE)('a seed is the same history every time', { timeout: 60_000 }, async () => {
  const [first, second] = await Promise.all([faults('--replay', '5'), faults('--replay', '5')]);
  expect(second).toBe(first);
});
