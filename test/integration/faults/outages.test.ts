/**
 * There are few logins while an institution is in trouble, and enough once it is back (decisions.md §5, "Logins"), in
 * virtual time.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { sampled } from '#test/helpers/effort.ts';
import type { Synced } from '../../faults/outages.ts';

const STORIES = join(import.meta.dirname, '../../faults/outages.ts');
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const KINDS = sampled(['HTTP 503', 'an unknown page', 'an unknown HTTP 403', 'maintenance', 'no connection'], 2);
/** These answers may have cost one of the account's attempts, and allow another attempt in the same run. */
const TRIED_AGAIN = ['HTTP 503', 'an unknown page'];

let told: Record<'morning' | 'newcomers', Record<string, Synced>>;
beforeAll(async () => {
  told = JSON.parse((await promisify(execFile)(process.execPath, [STORIES, ...KINDS])).stdout);
}, 120_000);

describe.each(KINDS)('%s', (kind) => {
  test('for two hours of a morning: every connection with accepted credentials is synchronized within an hour after', () => {
    const { status, afterMs, failed, failedInRunMax } = told.morning[kind]!;
    expect(afterMs.filter((ms) => ms === null || ms > HOUR_MS)).toEqual([]);
    expect(new Set(status)).toEqual(new Set(['active']));
    // Two firings of each of six connections met the outage.
    expect(failed).toBeGreaterThanOrEqual(12);
    expect(failedInRunMax).toBeLessThanOrEqual(SYNC_LIMITS.unclearLoginsMax);
  });

  test('for ten minutes in which connections are made: each is synchronized by its next firing', () => {
    const { status, afterMs, first, failed, failedInRunMax } = told.newcomers[kind]!;
    // The two scopes of a scheduled run each begin at a full minute.
    expect(afterMs.filter((ms) => ms === null || ms > HOUR_MS + 2 * MINUTE_MS)).toEqual([]);
    expect(new Set(status)).toEqual(new Set(['active']));
    expect(failed).toBeGreaterThanOrEqual(10);
    expect(failedInRunMax).toBeLessThanOrEqual(SYNC_LIMITS.unclearLoginsMax);
    if (TRIED_AGAIN.includes(kind)) expect(new Set(first)).toEqual(new Set(['succeeded']));
  });
});
