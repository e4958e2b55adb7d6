import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClock, type VirtualClock } from '#tools/local/clock.ts';
import type { InvocationResult } from '#tools/local/function-environment.ts';
import { openFunctionLogs } from '#tools/local/function-logs.ts';
import { createFunctions, type FunctionPool } from '#tools/local/functions.ts';
import { temporaryFolder } from './tiny-stack.ts';

const MODULES = {
  count: 'let n = 0; export const handler = async () => (n += 1);',
  wait: 'export const handler = (ms) => new Promise((done) => setTimeout(done, ms, ms));',
  hungry: 'export const handler = async () => { const all = []; for (;;) all.push(new Array(1e5).fill({})); };',
  broken: 'throw new Error("broken at load");',
  unexported: 'export const other = 1;',
  uncaught:
    'export const handler = async () => { setTimeout(() => { throw new Error("nobody listens"); }, 0); return new Promise(() => {}); };',
  large: 'export const handler = async () => "a".repeat(6 * 1024 * 1024);',
  circular: 'export const handler = async () => { const a = {}; a.a = a; return a; };',
  clock: 'export const handler = async () => globalThis[Symbol.for("data-connections.clock")]();',
  weak: `let kept; export const handler = async () => {
    if (kept === undefined) kept = new WeakRef({});
    return [kept.deref() !== undefined, typeof gc];
  };`,
  utc: 'export const handler = async () => [new Date("2026-07-01T00:00").getTime(), process.env.TZ];',
};

let folder: string;
let clock: VirtualClock;
let functions: FunctionPool;
let failures: string[];
let create: (warmMax?: number) => FunctionPool;

beforeEach(() => {
  folder = temporaryFolder();
  clock = createClock(join(folder, 'clock.json'));
  failures = [];
  const models = Object.entries(MODULES).flatMap(([id, code]) => {
    mkdirSync(join(folder, id));
    writeFileSync(join(folder, id, 'index.mjs'), code);
    // The same code as twenty functions, to fill the pool.
    const names = id === 'count' ? [id, ...Array.from({ length: 20 }, (_, index) => `${id}-${index}`)] : [id];
    return names.map((name) => ({
      id: name,
      name,
      arn: `arn:aws:lambda:us-east-1:000000000000:function:${name}`,
      codeFolder: join(folder, id),
      timeoutMs: 20_000,
      memoryMb: 64,
      environment: {},
    }));
  });
  create = (warmMax) =>
    createFunctions(models, {
      clock,
      region: 'us-east-1',
      logs: openFunctionLogs(join(folder, 'logs')),
      ...(warmMax === undefined ? {} : { warmMax }),
      onFailure: ({ id }, result) => failures.push(`${id}: ${'error' in result ? result.error.errorType : ''}`),
    });
  functions = create();
});
afterEach(async () => {
  await functions.close();
  clock.close();
});

const value = (result: InvocationResult): unknown =>
  'json' in result ? JSON.parse(result.json) : result.error.errorType;
const invoke = async (name: string, event: unknown = {}): Promise<unknown> =>
  value(await functions.invoke(name, event, 'api'));

test('warm environments keep their module, one event at a time', async () => {
  expect(await invoke('count')).toBe(1);
  expect(await invoke('arn:aws:lambda:us-east-1:000000000000:function:count')).toBe(2);
  const both = await Promise.all([invoke('count'), invoke('count')]);
  expect(both.sort()).toEqual([1, 3]);
  expect(functions.size()).toBe(2);
});

test('one of each function stays warm', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `count-${index}`);
  for (const name of names) await invoke(name);
  expect(functions.size()).toBe(20);
  for (const name of names) expect(await invoke(name)).toBe(2);
});

test('as long as they fit: a second one of a function is ended first, then the least recently used', async () => {
  const few = create(3);
  const count = async (name: string) => value(await few.invoke(name, {}, 'api'));
  try {
    await Promise.all([count('count-0'), count('count-0')]);
    await count('count-1');
    await count('count-2');
    expect(few.size()).toBe(3);
    expect(await count('count-0')).toBe(2);
    expect(await count('count-3')).toBe(1);
    expect(few.size()).toBe(3);
    expect(await count('count-0')).toBe(3);
    expect(await count('count-1')).toBe(1);
  } finally {
    await few.close();
  }
});

test('an environment that nobody calls gives back what it does not use, and its function cannot ask for that', async () => {
  expect(await invoke('weak')).toEqual([true, 'undefined']);
  for (let idleMs = 2_000; ((await invoke('weak')) as [boolean])[0]; idleMs *= 2) await sleep(idleMs);
  expect(functions.size()).toBe(1);
});

test('background work never takes every environment', async () => {
  const work = Array.from({ length: 24 }, () => functions.invoke('wait', 500, 'background'));
  expect(await invoke('count')).toBe(1);
  expect(functions.busy()).toBeGreaterThan(0);
  expect(functions.size()).toBeLessThanOrEqual(21);
  expect((await Promise.all(work)).map(value)).toEqual(Array(24).fill(500));
  expect(functions.size()).toBeLessThanOrEqual(6);
});

test.each([
  ['hungry', 'Runtime.OutOfMemory'],
  ['broken', 'Error'],
  ['unexported', 'Error'],
  ['uncaught', 'Runtime.UnhandledError'],
  ['large', 'Function.ResponseSizeTooLarge'],
  ['circular', 'TypeError'],
])('%s fails as %s, again and again, and harms nobody', async (name, errorType) => {
  expect([await invoke(name), await invoke(name)]).toEqual([errorType, errorType]);
  expect(failures).toEqual([`${name}: ${errorType}`, `${name}: ${errorType}`]);
  expect(await invoke('count')).toBe(1);
  expect(readFileSync(join(folder, 'logs', `${name}.log`), 'utf8')).toContain('"status":"error"');
});

test('functions read the virtual clock, and live in UTC', async () => {
  clock.advance(86_400_000);
  expect((await invoke('clock')) as number).toBeGreaterThanOrEqual(Date.now() + 86_400_000 - 1_000);
  expect(await invoke('utc')).toEqual([Date.parse('2026-07-01T00:00Z'), 'UTC']);
});

test('an unknown function is refused', async () => {
  await expect(functions.invoke('nobody', {}, 'api')).rejects.toThrow('nobody is not in the template');
});

test('logs hold at most two files of a fixed size', () => {
  const logs = openFunctionLogs(join(folder, 'capped'));
  const megabyte = `${'a'.repeat(1024 * 1024 - 1)}\n`;
  for (let count = 0; count < 12; count += 1) logs.write('f', megabyte);
  const sizes = ['f.log', 'f.log.1'].map((name) => readFileSync(join(folder, 'capped', name)).length / megabyte.length);
  expect(sizes).toEqual([2, 5]);
});
