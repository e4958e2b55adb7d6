import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { VirtualClock } from '#tools/local/clock.ts';
import type { Environment } from '#tools/local/function-environment.ts';
import { createFunctions } from '#tools/local/functions.ts';
import type { FunctionModel } from '#tools/local/model.ts';
import { startStack } from '#tools/local/stack.ts';

const FUNCTIONS = 75;

const models = Array.from({ length: FUNCTIONS }, (_, index): FunctionModel => {
  const id = `function-${index}`;
  const arn = `arn:aws:lambda:us-east-1:000000000000:function:${id}`;
  return { id, name: id, arn, codeFolder: '', timeoutMs: 1, memoryMb: 1, environment: {} };
});

/** Environments that do nothing, by function. */
const createPool = () => {
  const alive = new Map(models.map(({ name }) => [name, 0]));
  const started = new Map(alive);
  const add = (counts: Map<string, number>, name: string, by: number) => counts.set(name, counts.get(name)! + by);
  const start = ({ name }: FunctionModel): Environment => {
    add(alive, name, 1);
    add(started, name, 1);
    return {
      isDead: false,
      invoke: async () => ({ requestId: name, durationMs: 0, json: 'null' }),
      end: async () => void add(alive, name, -1),
    };
  };
  const pool = createFunctions(models, {
    clock: {} as VirtualClock,
    region: 'us-east-1',
    logs: { write: () => undefined },
    onFailure: () => undefined,
    start,
  });
  return { pool, alive, started };
};

test('no call of another function ends the only warm environment of one', async () => {
  const batch = fc.array(fc.nat(FUNCTIONS - 1), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 12 }), async (batches) => {
      const { pool, alive } = createPool();
      const called = new Set<string>();
      for (const indices of batches) {
        const names = indices.map((index) => models[index]!.name);
        await Promise.all(names.map((name) => pool.invoke(name, {}, 'api')));
        for (const name of names) called.add(name);
        for (const name of called) expect(alive.get(name)).toBeGreaterThanOrEqual(1);
        expect(pool.size()).toBeLessThanOrEqual(called.size + 4);
        expect(pool.size()).toBeLessThanOrEqual(FUNCTIONS);
      }
    }),
  );
});

test('all functions in turn start once each, however often', async () => {
  const { pool, started } = createPool();
  for (let round = 0; round < 3; round += 1) {
    for (const { name } of models) await pool.invoke(name, {}, 'background');
  }
  expect([...started.values()]).toEqual(Array(FUNCTIONS).fill(1));
  expect(pool.size()).toBe(FUNCTIONS);
});

test.each(['abc', '-1', '1.5'])('an invalid number of warm functions, %s, is refused at the start', async (text) => {
  const environment = { LOCAL_WARM_FUNCTIONS: text };
  const starting = startStack({ assemblyFolder: 'none', dataFolder: '/dev/null/none', port: 0, environment });
  await expect(starting).rejects.toThrow(`LOCAL_WARM_FUNCTIONS must be a whole number, not "${text}"`);
});
