/** What waiting costs where an institution allows one session a login, in virtual time: tasks are woken and never ask. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import type { Figures } from '../../faults/waiting.ts';

const STORIES = join(import.meta.dirname, '../../faults/waiting.ts');
const SCOPES = 3;

let told: Record<'first' | 'second' | 'backlog', Figures>;
beforeAll(async () => {
  told = JSON.parse((await promisify(execFile)(process.execPath, [STORIES])).stdout);
}, 120_000);

test('a first sync at the real pace: one message, two wakes, and the handovers', () => {
  const { statuses, messages, handovers } = told.first;
  expect(statuses).toEqual({ succeeded: 1 });
  // It takes longer than one invocation may: a story without handovers would prove less.
  expect(handovers).toBeGreaterThan(1);
  expect(messages).toBe(1 + (SCOPES - 1) + handovers);
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
