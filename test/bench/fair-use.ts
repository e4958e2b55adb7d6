/**
 * `node test/bench/fair-use.ts`: line 16. The p99 of an organization's pages while a key of another organization loops
 * and is refused, times the p99 without the loop; and the same for a loop without a limit. Both organizations use one
 * table; the loop has a thread of its own, as it has instances of its own on Lambda. All are measured in turns.
 * `--rounds 20 --pages 100 --clients 4 --every 40`
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { contract } from '#functions/api/tax-rcv-documents/list-tax-rcv-documents/contract.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { startTable } from '#test/helpers/dynamo.ts';
import { newReadWorld, type ReadWorld } from './read-world.ts';
import { atMost, conclude, percentile, spread } from './report.ts';

export interface Loop {
  operation: string;
  requests: ReadWorld['request'];
  clients: number;
  /** Time between two requests of a client, or longer if the answer takes longer. */
  everyMs: number;
}

export interface LoopReport {
  admitted: number;
  refused: number;
}

export type LoopRequest = 'run' | 'pause';

const TIMES_WITHOUT_LOOP = 1.5;
const UNLIMITED = '1000000000';
/** So few that a busy machine reaches them within a minute. */
const READS = '100';
const REFUSED_AFTER_MS = 120_000;
/** Requests that are under way when a loop is paused have ended after this time. */
const PAUSE_MS = 100;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    pages: { type: 'string', default: '100' },
    clients: { type: 'string', default: '4' },
    every: { type: 'string', default: '40' },
  },
});
const rounds = Number(values.rounds);
const pages = Number(values.pages);

const startLoop = async ({ request }: ReadWorld, env: NodeJS.ProcessEnv) => {
  const workerData: Loop = {
    operation: contract.id,
    requests: request,
    clients: Number(values.clients),
    everyMs: Number(values.every),
  };
  const thread = new Worker(new URL('./looping-key-thread.ts', import.meta.url), { env, workerData });
  await once(thread, 'message');
  const ask = async (wanted: LoopRequest): Promise<LoopReport> => {
    thread.postMessage(wanted);
    const [report] = await once(thread, 'message');
    return report;
  };
  return { ask, stop: () => thread.terminate() };
};

type LoopingKey = Awaited<ReturnType<typeof startLoop>>;

const untilRefused = async ({ ask }: LoopingKey): Promise<number> => {
  const endMs = performance.now() + REFUSED_AFTER_MS;
  while (performance.now() < endMs) {
    const { admitted, refused } = await ask('run');
    if (refused > 0) return admitted;
    await sleep(PAUSE_MS);
  }
  throw new Error('the loop is not refused');
};

const server = await startTable();
try {
  const sizes = [4_000, 4_000];
  const measured = await newReadWorld(server, taxRcv, contract.id, sizes);
  const other = await newReadWorld(server, taxRcv, contract.id, sizes);
  // The measured organization reads more than a minute's reads.
  process.env[VARIABLES.readsPerMinute] = UNLIMITED;
  const [limited, unlimited] = await Promise.all([
    startLoop(other, { ...process.env, [VARIABLES.readsPerMinute]: READS }),
    startLoop(other, process.env),
  ]);
  const admitted = await untilRefused(limited);
  await limited.ask('pause');

  const turns: Record<'quiet' | 'limited' | 'unlimited', { loop?: LoopingKey; ms: number[]; requests: number[] }> = {
    quiet: { ms: [], requests: [] },
    limited: { loop: limited, ms: [], requests: [] },
    unlimited: { loop: unlimited, ms: [], requests: [] },
  };
  for (let round = -1; round < rounds; round++) {
    for (const { loop, ms, requests } of Object.values(turns)) {
      const before = await loop?.ask('run');
      const startedMs = performance.now();
      for (let n = 0; n < pages; n++) {
        const page = await measured.list('limit=50');
        if (round >= 0) ms.push(page.ms);
      }
      const seconds = (performance.now() - startedMs) / 1000;
      const after = await loop?.ask('pause');
      await sleep(PAUSE_MS);
      if (before && after && round >= 0)
        requests.push((after.admitted + after.refused - before.admitted - before.refused) / seconds);
    }
  }
  await Promise.all([limited.stop(), unlimited.stop()]);

  const p99 = (turn: keyof typeof turns): number => percentile(turns[turn].ms, 0.99);
  const timesQuiet = (turn: keyof typeof turns): number => Number((p99(turn) / p99('quiet')).toFixed(2));
  console.log(
    `p99 ${p99('quiet').toFixed(1)} ms without a loop, ${p99('limited').toFixed(1)} ms with one that is refused after ` +
      `${admitted} reads (${spread(turns.limited.requests, 0)} requests/s), ${p99('unlimited').toFixed(1)} ms with one ` +
      `without a limit (${spread(turns.unlimited.requests, 0)} requests/s)`,
  );
  conclude(
    'fair-use',
    [
      atMost(16, "p99 of another organization's pages while a key loops, times without the loop", {
        value: timesQuiet('limited'),
        limit: TIMES_WITHOUT_LOOP,
      }),
    ],
    {
      admitted,
      unlimited: timesQuiet('unlimited'),
      turns: Object.fromEntries(
        Object.entries(turns).map(([name, { ms, requests }]) => [
          name,
          { ms: spread(ms), p99: percentile(ms, 0.99), requestsPerSecond: requests.length > 0 ? spread(requests) : '' },
        ]),
      ),
    },
  );
} finally {
  await server.stop();
}
process.exit();
