import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { nowMs, plantClock } from '#shared/platform/clock.ts';
import { createClock } from '#tools/local/clock.ts';
import { plantSharedClock } from '#tools/local/shared-clock.ts';
import { temporaryFolder } from './tiny-stack.ts';

test('a jump is seen everywhere, and reported', () => {
  const clock = createClock(join(temporaryFolder(), 'clock.json'));
  const jumped = vi.fn();
  const stop = clock.onJump(jumped);
  plantSharedClock(clock.shared);
  try {
    clock.advance(1_000_000_000_000);
    expect(nowMs()).toBeGreaterThanOrEqual(Date.now() + 999_999_999_000);
    expect(jumped).toHaveBeenCalledTimes(1);
    stop();
    clock.advance(1);
    expect(jumped).toHaveBeenCalledTimes(1);
  } finally {
    plantClock(undefined);
    clock.close();
  }
});

test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 1e15])('never moves by %d', (ms) => {
  const clock = createClock(join(temporaryFolder(), 'clock.json'));
  expect(() => clock.advance(ms)).toThrow(RangeError);
  expect(clock.offsetMs()).toBe(0);
  clock.close();
});

test('a restart never goes back in time, even where the machine’s clock did', () => {
  const file = join(temporaryFolder(), 'clock.json');
  const first = createClock(file);
  first.advance(5_000);
  first.close();
  const second = createClock(file);
  expect(second.offsetMs()).toBe(5_000);
  second.close();
  const seenMs = Date.now() + 3_600_000;
  writeFileSync(file, JSON.stringify({ offset_ms: 5_000, seen_ms: seenMs }));
  const third = createClock(file);
  expect(third.nowMs()).toBeGreaterThanOrEqual(seenMs);
  third.close();
});
