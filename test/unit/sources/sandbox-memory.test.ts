/** A sandbox's memory can be serialized, handed to another instance, and is bounded. */
import { expect, test } from 'vitest';
import { createMemory, keepNewest } from '#shared/sources/sandbox-kit/memory.ts';

test('the state that one instance wrote is read by another: maps, counts and decisions', () => {
  const one = createMemory();
  one.map<{ login: string }>('sessions').set('token', { login: 'ana' });
  one.next('jobs');
  one.once('startedIn', () => '2026-11');

  const other = createMemory();
  const sessions = other.map<{ login: string }>('sessions');
  other.read(one.write());
  expect(sessions.get('token')).toEqual({ login: 'ana' });
  expect(other.next('jobs')).toBe(2);
  expect(other.once('startedIn', () => '2026-12')).toBe('2026-11');
});

test('reading forgets what was there before', () => {
  const memory = createMemory();
  expect(memory.write()).toBe('');
  memory.map('sessions').set('token', true);
  memory.next('jobs');
  expect(memory.write()).not.toBe('');
  memory.read('');
  expect(memory.map('sessions').size).toBe(0);
  expect(memory.write()).toBe('');
  expect(memory.next('jobs')).toBe(1);
});

test('a change in place is also written', () => {
  const memory = createMemory();
  const session = { calls: 0 };
  memory.map('sessions').set('token', session);
  const before = memory.write();
  session.calls++;
  expect(memory.write()).not.toBe(before);
});

test('retains the newest, and an entry that is written again counts as new', () => {
  const kept = new Map<string, number>();
  for (const [n, key] of ['a', 'b', 'c', 'a', 'd'].entries()) keepNewest(kept, key, n, 3);
  expect([...kept]).toEqual([
    ['c', 2],
    ['a', 3],
    ['d', 4],
  ]);
});
