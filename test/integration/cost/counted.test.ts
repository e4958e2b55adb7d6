/** The committed units belong to the present code: the test counts them again, over real handlers, engine and table. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { IS_WHOLE } from '#test/helpers/effort.ts';
import { type Counted, type CountedOperation, readCounted } from '#tools/cost/counted.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Ids are random, and with them the distribution of rows over an index and its pages. */
const SLACK = 0.05;
const SLACK_UNITS = 2;

const isNear = (now: number, committed: number): boolean =>
  Math.abs(now - committed) <= Math.max(SLACK_UNITS, SLACK * committed);

test.runIf(IS_WHOLE)(
  'the units behind docs/cost.md are what the code takes; else: npm run cost:count, npm run cost',
  async () => {
    const { POWERTOOLS_METRICS_DISABLED: _, ...env } = process.env;
    const { stdout } = await promisify(execFile)(process.execPath, ['test/bench/units.ts', '--print'], {
      cwd: ROOT,
      env,
    });
    const now = JSON.parse(stdout.trim().split('\n').at(-1)!) as Counted;
    const committed = readCounted();
    for (const [operation, units] of Object.entries(committed.operations) as [
      CountedOperation,
      Counted['operations']['page'],
    ][]) {
      const { readUnits, writeUnits, requests, objectBytes, logBytes } = now.operations[operation];
      expect(isNear(readUnits, units.readUnits), `${operation}: ${readUnits} read units, not ${units.readUnits}`).toBe(
        true,
      );
      expect(
        isNear(writeUnits, units.writeUnits),
        `${operation}: ${writeUnits} write units, not ${units.writeUnits}`,
      ).toBe(true);
      expect(requests, operation).toEqual(units.requests);
      expect(
        Math.abs(objectBytes - units.objectBytes),
        `${operation}: ${objectBytes} bytes stored`,
      ).toBeLessThanOrEqual(SLACK * units.objectBytes);
      expect(Math.abs(logBytes - units.logBytes), `${operation}: ${logBytes} bytes of log`).toBeLessThanOrEqual(100);
    }
    expect(now.idleMetrics).toEqual(committed.idleMetrics);
    expect(Math.abs(now.webhookBytesOut - committed.webhookBytesOut)).toBeLessThanOrEqual(200);
    expect(Math.abs(now.pageBytes - committed.pageBytes)).toBeLessThanOrEqual(500);
  },
);
