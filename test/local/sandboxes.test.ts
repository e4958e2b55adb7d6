import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addMonths, santiagoPeriod } from '#shared/values/dates.ts';
import { createClock } from '#tools/local/clock.ts';
import { findSandboxes, startSandboxes } from '#tools/local/sandboxes.ts';
import { temporaryFolder } from './tiny-stack.ts';

const SOURCES = join(import.meta.dirname, '../../shared/sources');
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

test('a thread that exits without an error is reported, and one that is closed is not', async () => {
  const channelName = `end-${randomUUID()}`;
  const code = `
    const ends = new BroadcastChannel('${channelName}');
    ends.onmessage = () => process.exit(0);
    export const createEnding = () => ({ listen: async () => 'http://127.0.0.1' });`;
  const server = `data:text/javascript,${encodeURIComponent(code)}`;
  const modules = [{ code: 'ending', server, factory: 'createEnding', credentials: undefined }];
  const clock = createClock(join(temporaryFolder(), 'clock.json'));
  const channel = new BroadcastChannel(channelName);
  try {
    const lost: string[] = [];
    await (await startSandboxes(modules, clock, (reason) => lost.push(reason))).close();
    expect(lost).toEqual([]);

    const told = Promise.withResolvers<string>();
    await startSandboxes(modules, clock, told.resolve);
    channel.postMessage('end');
    expect(await told.promise).toBe('the thread of the simulated institutions ended: it exited');
  } finally {
    channel.close();
    clock.close();
  }
});
