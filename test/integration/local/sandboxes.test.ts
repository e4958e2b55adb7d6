import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createClock } from '#infra/local/clock.ts';
import { findSandboxes, startSandboxes } from '#infra/local/sandboxes.ts';
import { addMonths, santiagoPeriod } from '#shared/domain/dates.ts';
import { temporaryFolder } from './tiny-stack.ts';

const SOURCES = join(import.meta.dirname, '../../../shared/sources');
const RUT = '70000002-8';
const MONTH_MS = 31 * 86_400_000;

test('time passes at the simulated institution as it does here: a new month has documents', async () => {
  const clock = createClock(join(temporaryFolder(), 'clock.json'));
  const modules = findSandboxes(SOURCES, {}).filter(({ code }) => code === 'tax');
  const sandboxes = await startSandboxes(modules, clock);
  const months = async (): Promise<string[]> => {
    const answer = await fetch(`${sandboxes.running.tax?.url}/_sandbox/ledger?login=${RUT}`);
    return Object.keys(((await answer.json()) as { rcv: object }).rcv).sort();
  };
  try {
    expect((await months()).at(-1)).toBe(santiagoPeriod(clock.nowMs()));
    clock.advance(3 * MONTH_MS);
    const now = santiagoPeriod(clock.nowMs());
    expect((await months()).slice(-3)).toEqual([addMonths(now, -2), addMonths(now, -1), now]);
  } finally {
    await sandboxes.close();
    clock.close();
  }
});
