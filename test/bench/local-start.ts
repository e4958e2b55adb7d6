/**
 * `node test/bench/local-start.ts`: line 11. Runs `npm start` on a new data folder: once to build bundles and template,
 * then again until it reports that it is ready; and measures the resident memory of it and all its children after a
 * while of idling. `--rounds 3`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { atMost, conclude, median, spread } from './report.ts';

const TO_REACH = { seconds: 6, mib: 700 };
/** By then the memory of the start is released and the sweeper has run once. */
const IDLE_MS = 70_000;
const ROOT = join(import.meta.dirname, '../..');

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, 'idle-ms': { type: 'string', default: String(IDLE_MS) } },
});

const statusOf = (pid: string): Record<string, string> =>
  Object.fromEntries(
    readFileSync(`/proc/${pid}/status`, 'utf8')
      .split('\n')
      .map((line) => line.split(':\t') as [string, string]),
  );

/** The process and all its descendants, by their parents. */
const residentMib = (root: number): number => {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const { PPid = '', VmRSS = '0' } = statusOf(pid);
        return [{ pid, parent: PPid, kib: Number.parseInt(VmRSS, 10) }];
      } catch {
        // The process ended meanwhile.
        return [];
      }
    });
  const ours = new Set([String(root)]);
  for (const pid of ours) for (const each of processes) if (each.parent === pid) ours.add(each.pid);
  return processes.reduce((sum, { pid, kib }) => sum + (ours.has(pid) ? kib / 1024 : 0), 0);
};

/** Runs as a person would. Returns the seconds until it reports that it is ready. */
const start = async (dataFolder: string) => {
  const startedMs = performance.now();
  // A separate process group, because npm forwards no signal to its child.
  const child = spawn('npm', ['start', '--silent'], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PORT: '0', DATA_DIR: dataFolder },
  });
  // Waits for `close` and not `exit`: npm ends before the stack, which uses its data folder until it closes this pipe.
  const ended = once(child, 'close');
  const ready = new Promise<number>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (part) => {
      text += part;
      if (/ready in [\d.]+ s/.test(text)) resolve((performance.now() - startedMs) / 1000);
    });
    child.once('close', () => reject(new Error('the stack ended before it was ready')));
  });
  const seconds = await ready;
  return {
    seconds,
    pid: child.pid!,
    stop: async () => {
      process.kill(-child.pid!, 'SIGTERM');
      await ended;
    },
  };
};

const dataFolder = mkdtempSync(join(tmpdir(), 'bench-start-'));
try {
  const first = await start(dataFolder);
  await first.stop();
  const seconds: number[] = [];
  const mib: number[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const again = await start(dataFolder);
    seconds.push(again.seconds);
    if (round === 0) {
      await sleep(Number(values['idle-ms']));
      mib.push(residentMib(again.pid));
    }
    await again.stop();
  }
  conclude(
    'local-start',
    [
      atMost(11, '`npm start` again, s', {
        value: median(seconds),
        limit: TO_REACH.seconds,
        figure: spread(seconds, 1),
      }),
      atMost(11, 'idle memory of the whole stack, MiB', { value: Math.round(median(mib)), limit: TO_REACH.mib }),
    ],
    { firstSeconds: first.seconds, seconds, mib },
  );
} finally {
  rmSync(dataFolder, { recursive: true, force: true });
}
