/**
 * The cost of waiting where an institution allows one session per login, in virtual time: tasks are woken and never
 * poll.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { contract } from '#functions/workers/sync-scope/contract.ts';
import { manifest } from '#shared/sources/tax/manifest.ts';
import type { Figures } from '../../faults/waiting.ts';

const STORIES = join(import.meta.dirname, '../../faults/waiting.ts');
const SCOPES = 3;

/** Memory of a scope's worker, and Lambda's price of a GB-second (AWS's price list: us-east-1, ARM). */
const MEMORY_GB = contract.memoryMb / 1024;
const GB_SECOND = 0.0000133334;

let told: Record<'first' | 'paced' | 'second' | 'backlog', Figures>;
beforeAll(async () => {
  told = JSON.parse((await promisify(execFile)(process.execPath, [STORIES])).stdout);
}, 120_000);

test('a first sync at the real pace: one message, two wakes, and the handovers', () => {
  const { statuses, messages, handovers } = told.first;
  expect(statuses).toEqual({ succeeded: 1 });
  // The work takes longer than one invocation may: without handovers the test would prove less.
  expect(handovers).toBeGreaterThan(1);
  expect(messages).toBe(1 + (SCOPES - 1) + handovers);
});

test('a first sync of 288 answers: nobody is paid for waiting, and no ten minutes have more than a hundred calls', () => {
  const { statuses, messages, handovers, workedMs, wallMs, calledMs } = told.paced;
  const { callDelayMs, callsMax, windowMs } = manifest.pace;
  expect(statuses).toEqual({ succeeded: 1 });
  expect(calledMs).toHaveLength(SCOPES * 12 * 8);
  expect((workedMs / 1000) * MEMORY_GB * GB_SECOND).toBeLessThanOrEqual(0.004);
  expect(wallMs).toBeGreaterThan(2 * workedMs);
  expect(handovers).toBeGreaterThan(1);
  // While a login rests, the sweeper sends one reminder to another scope of the run.
  expect(messages).toBeLessThanOrEqual(1 + (SCOPES - 1) + handovers + 1);
  for (const [n, atMs] of calledMs.entries()) {
    if (n > 0) expect(atMs - calledMs[n - 1]!).toBeGreaterThanOrEqual(callDelayMs);
    if (n >= callsMax) expect(atMs - calledMs[n - callsMax]!).toBeGreaterThanOrEqual(windowMs);
  }
});

test('a second sync: at most a second a scope is anything but work', () => {
  const { statuses, messages, wallMs, heldMs } = told.second;
  expect(statuses).toEqual({ succeeded: 1 });
  expect(messages).toBe(SCOPES);
  expect(wallMs - heldMs).toBeLessThanOrEqual(SCOPES * 1_000);
});

test('a hundred runs of five connections with one login: at most two invocations a task, and the login is never idle', () => {
  const { statuses, scopes, invocations, wallMs, heldMs } = told.backlog;
  expect(statuses).toEqual({ succeeded: 100 });
  expect(invocations).toBeLessThanOrEqual(2 * scopes);
  expect(wallMs - heldMs).toBeLessThanOrEqual(scopes * 1_000);
});
