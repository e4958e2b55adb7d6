import fc from 'fast-check';
import { expect, test } from 'vitest';
import { derivedId, lastIdAt, madeAtMs } from '#shared/platform/ids.ts';

const anyMs = fc.integer({ min: 0, max: 4_000_000_000_000 });

test('ids up to a millisecond sort before its last id, those of the next after it', () => {
  fc.assert(
    fc.property(anyMs, fc.string(), (atMs, seed) => {
      expect(derivedId(seed, atMs) <= lastIdAt(atMs)).toBe(true);
      expect(derivedId(seed, atMs + 1) > lastIdAt(atMs)).toBe(true);
    }),
  );
});

test('an id contains the millisecond of its creation', () => {
  fc.assert(
    fc.property(anyMs, fc.string(), (atMs, seed) => {
      expect(madeAtMs(derivedId(seed, atMs))).toBe(atMs);
    }),
  );
});
