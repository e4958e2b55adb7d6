/** Next to a receiver that never answers, no event waits for its first attempt while another has its second. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import type { Attempted } from '../../faults/hanging.ts';

const EVENTS = 24;

test('every first attempt of 24 events precedes any second, and the seconds come, never early', {
  timeout: 120_000,
}, async () => {
  const story = join(import.meta.dirname, '../../faults/hanging.ts');
  const attempts: Attempted[] = JSON.parse((await promisify(execFile)(process.execPath, [story])).stdout);
  const firsts = attempts.slice(0, EVENTS).map(({ delivery }) => delivery);
  expect(new Set(firsts).size).toBe(EVENTS);
  const seconds = attempts.slice(EVENTS, 2 * EVENTS);
  expect(new Set(seconds.map(({ delivery }) => delivery)).size).toBe(EVENTS);
  for (const { delivery, afterMs } of seconds) {
    const endedMs = attempts.find((first) => first.delivery === delivery)!.afterMs + WEBHOOK_LIMITS.webhookAttemptMs;
    expect(afterMs - endedMs).toBeGreaterThanOrEqual(WEBHOOK_LIMITS.webhookRetryDelaysMs[0]);
  }
});
