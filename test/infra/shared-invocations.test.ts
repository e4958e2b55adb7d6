/** The model of workers that share invocations: it loses no task, and reaches the figures of docs/adr/0037. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '#test/helpers/effort.ts';
import { HOUR_MS, hourlyTasks, seeded, simulateWorkers } from '#tools/cost/shared-invocations.ts';

const WAIT_MS = 60_000;
const WORKERS = 15;

const delays = (tasks: readonly { atMs: number }[], beganMs: readonly number[]): number[] =>
  tasks.map(({ atMs }, n) => beganMs[n]! - atMs);

describe('the workers of one scope', () => {
  it('begin every task once, not before its message, and never more invocations than allowed', () => {
    const task = fc.record({ atMs: fc.nat(300_000), waitMs: fc.integer({ min: 1, max: 120_000 }) });
    fc.assert(
      fc.property(
        fc.array(task, { maxLength: 200 }),
        fc.integer({ min: 2, max: 5 }),
        fc.nat(),
        (given, workers, seed) => {
          const tasks = given.toSorted((a, b) => a.atMs - b.atMs);
          const { beganMs, endedMs, invocations, billedMs } = simulateWorkers(tasks, workers, seeded(seed).below);
          expect(Object.keys(beganMs)).toHaveLength(tasks.length);
          expect(delays(tasks, beganMs).every((ms) => ms >= 0)).toBe(true);
          expect(tasks.every(({ waitMs }, n) => endedMs[n] === beganMs[n]! + waitMs)).toBe(true);
          expect(invocations).toBeGreaterThanOrEqual(tasks.length / 10);
          expect(billedMs).toBeLessThanOrEqual(tasks.reduce((sum, { waitMs }) => sum + waitMs, 0));
          const begins = [...new Set(beganMs)];
          for (const atMs of begins) {
            const atOnce = tasks.filter((_, n) => beganMs[n]! <= atMs && endedMs[n]! > atMs).length;
            expect(atOnce).toBeLessThanOrEqual(workers * 10);
          }
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it('carry at least 4,000 runs an hour, where they wait a minute for the institution', () => {
    const { unit, below } = seeded(1);
    const tasks = Array.from({ length: 10_000 }, () => ({ atMs: 0, waitMs: WAIT_MS * (0.7 + 0.6 * unit()) }));
    const { endedMs } = simulateWorkers(tasks, WORKERS, below);
    expect(tasks.length / (Math.max(...endedMs) / HOUR_MS)).toBeGreaterThan(4_000);
  });

  it('begin a task within two minutes while 4,000 hourly connections share them', () => {
    const { unit, below } = seeded(2);
    const tasks = hourlyTasks(4_000, 2, WAIT_MS, unit);
    const { beganMs } = simulateWorkers(tasks, WORKERS, below);
    expect(Math.max(...delays(tasks, beganMs))).toBeLessThan(120_000);
  });
});
