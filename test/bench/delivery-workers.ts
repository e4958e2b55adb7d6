/** The worker of deliveries in separate threads, as its event source mapping runs it. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { stageNamed } from '#infra/stages.ts';

/** Read and write units since the start, as the table reports them. */
export interface Units {
  read: number;
  write: number;
}

export interface ThreadData {
  /** Number of parallel invocations. */
  environments: number;
}

/** Requesting units makes every answer of the table a little larger. */
export type ThreadRequest = 'units' | 'count no more';

export interface Workers {
  units(): Promise<Units>;
  countNoMore(): void;
  stop(): Promise<void>;
}

type Thread = Pick<Workers, 'units' | 'countNoMore'> & { thread: Worker };

const startThread = async (env: NodeJS.ProcessEnv, environments: number): Promise<Thread> => {
  const workerData: ThreadData = { environments };
  const thread = new Worker(new URL('./delivery-worker-thread.ts', import.meta.url), {
    env,
    workerData,
  });
  const ask = (request: ThreadRequest): void => thread.postMessage(request);
  const answer = <T>(): Promise<T> =>
    new Promise((resolve, reject) => {
      thread.once('message', (message) => {
        thread.off('error', reject);
        resolve(message);
      });
      thread.once('error', reject);
    });
  await answer();
  return {
    thread,
    units: () => {
      const units = answer<Units>();
      ask('units');
      return units;
    },
    countNoMore: () => ask('count no more'),
  };
};

/**
 * As many parallel invocations as `prod` allows, divided by the cores of this machine: on Lambda each has its own core.
 */
export const startWorkers = async (env: NodeJS.ProcessEnv): Promise<Workers> => {
  const each = Math.ceil(stageNamed('prod').concurrency.webhooks / availableParallelism());
  const threads = await Promise.all(Array.from({ length: availableParallelism() }, () => startThread(env, each)));
  return {
    units: async () => {
      const all = await Promise.all(threads.map(({ units }) => units()));
      return all.reduce((a, b) => ({ read: a.read + b.read, write: a.write + b.write }));
    },
    countNoMore: () => {
      for (const { countNoMore } of threads) countNoMore();
    },
    stop: async () => {
      await Promise.all(threads.map(({ thread }) => thread.terminate()));
    },
  };
};
