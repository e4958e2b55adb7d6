/** Work with limited concurrency. */
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunks, forEachConcurrent, mapConcurrent } from '#shared/platform/concurrency.ts';

describe('chunks', () => {
  test('together they are the list, none is larger than asked for', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 9 }), (list, size) => {
        const cut = chunks(list, size);
        expect(cut.flat()).toEqual(list);
        expect(cut.every(({ length }) => length > 0 && length <= size)).toBe(true);
      }),
    );
  });
});

describe('in parallel', () => {
  test('does everything once, never more at a time than asked for', async () => {
    const done: number[] = [];
    let flying = 0;
    let most = 0;
    const list = Array.from({ length: 40 }, (_, n) => n);
    await forEachConcurrent(list, 4, async (n) => {
      most = Math.max(most, ++flying);
      for (let turns = n % 3; turns >= 0; turns--) await turn();
      done.push(n);
      flying--;
    });
    expect(done.toSorted((a, b) => a - b)).toEqual(list);
    expect(most).toBe(4);
  });

  test('results come in the order of the list, whichever ends first', async () => {
    const results = await mapConcurrent([3, 0, 2, 1], 3, async (n) => {
      for (let turns = n; turns >= 0; turns--) await turn();
      return n * 10;
    });
    expect(results).toEqual([30, 0, 20, 10]);
  });

  test('after a fault nothing more is begun, and nothing is under way when it is thrown', async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const work = forEachConcurrent([0, 1, 2, 3, 4, 5], 3, async (n) => {
      begun.push(n);
      if (n === 1) throw new Error('the second one');
      for (let turns = 0; turns < 5; turns++) await turn();
      ended.push(n);
    });
    await expect(work).rejects.toThrow('the second one');
    expect(begun).toEqual([0, 1, 2]);
    expect(ended.toSorted()).toEqual([0, 2]);
  });
});
