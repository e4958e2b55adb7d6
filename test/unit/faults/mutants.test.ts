/**
 * The mutants of `npm run faults:mutants` match the present code: a mutant that changes nothing would prove nothing.
 */
import { describe, expect, test } from 'vitest';
import type { Mutant } from '../../faults/mutants/mutant.ts';
import { MUTANTS } from '../../faults/mutants/mutants.ts';
import { mutatedFiles, NotOnce } from '../../faults/mutants/mutate.ts';

test.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))('%s', (_, mutant) => {
  expect([...mutatedFiles(mutant).keys()]).not.toEqual([]);
});

test('each has a unique name', () => {
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
});

describe('a text that cannot be replaced', () => {
  const mutantOf = (old: string): Mutant => ({
    name: 'a test',
    changes: [{ file: 'shared/sync/task/lease.store.ts', old, new: '' }],
  });

  test('is refused when it is missing', () => {
    expect(() => mutatedFiles(mutantOf('no such text in there'))).toThrow(NotOnce);
  });

  test('is refused when it is there twice', () => {
    expect(() => mutatedFiles(mutantOf('new LeaseTaken()'))).toThrow(/found \d+ times/);
  });
});
