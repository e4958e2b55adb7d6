/**
 * SQS and S3 of the local stack: fauxqs in a separate thread whose `Date.now` is the virtual clock. fauxqs compares
 * every delay, visibility timeout and receive with `Date.now()`, and its only timer is a 20 ms poll while a receive
 * waits (node_modules/fauxqs/dist/sqs/sqsStore.js). A jump of the clock therefore takes effect within 20 ms, and no
 * message is delivered early. Messages are only in memory: the table is the source of truth, and the sweeper sends lost
 * messages again. Objects are files.
 */
import { Worker } from 'node:worker_threads';
import type { VirtualClock } from './clock.ts';
import type { QueueModel } from './model.ts';
import type { OnLost } from './processes.ts';

/**
 * Number of messages in each state of a queue. `nextDueMs` is the virtual time at which the next delayed or invisible
 * message can be received.
 */
export interface QueueState {
  ready: number;
  delayed: number;
  inFlight: number;
  nextDueMs: number | undefined;
}

export interface QueueServer {
  /** Endpoint of both SQS and S3. */
  endpoint: string;
  url(name: string): string;
  /** Creates missing queues and buckets. */
  create(queues: readonly QueueModel[], buckets: readonly string[]): Promise<void>;
  states(): Promise<Record<string, QueueState>>;
  close(): Promise<void>;
}

export type QueueThreadRequest =
  | { kind: 'create'; queues: { name: string; attributes: Record<string, string> }[]; buckets: string[] }
  | { kind: 'states' }
  | { kind: 'close' };

export interface QueueThreadData {
  clock: SharedArrayBuffer;
  storageFolder: string;
  region: string;
}

export const startQueues = async (options: {
  clock: VirtualClock;
  storageFolder: string;
  region: string;
  onLost?: OnLost;
}): Promise<QueueServer> => {
  const workerData: QueueThreadData = {
    clock: options.clock.shared,
    storageFolder: options.storageFolder,
    region: options.region,
  };
  const thread = new Worker(new URL('./queue-thread.ts', import.meta.url), {
    workerData,
    // Hides the warning that Node prints at every start when fauxqs imports node:sqlite.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let asked = 0;
  const endpoint = await new Promise<string>((resolve, reject) => {
    thread.once('error', reject);
    thread.once('message', (message: { endpoint: string }) => resolve(message.endpoint));
  });
  thread.removeAllListeners('error');
  const fail = (error: Error) => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const { onLost = console.error } = options;
  let isClosing = false;
  let hasEnded = false;
  let cause = 'it exited';
  thread.on('error', (error) => {
    cause = error.message;
  });
  thread.on('exit', () => {
    hasEnded = true;
    fail(new Error(`the queue thread ended: ${cause}`));
    if (!isClosing) onLost(`the queue thread ended: ${cause}`);
  });
  thread.on('message', (message: { id: number; value?: unknown; error?: string }) => {
    const waiter = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) waiter?.resolve(message.value);
    else waiter?.reject(new Error(message.error));
  });
  const ask = (request: QueueThreadRequest): Promise<unknown> =>
    new Promise((resolve, reject) => {
      asked += 1;
      waiting.set(asked, { resolve, reject });
      thread.postMessage({ id: asked, request });
    });

  return {
    endpoint,
    url: (name) => `${endpoint}/000000000000/${name}`,
    async create(queues, buckets) {
      const wanted = queues.map(({ name, attributes }) => ({ name, attributes: { ...attributes } }));
      await ask({ kind: 'create', queues: wanted, buckets: [...buckets] });
    },
    states: async () => (await ask({ kind: 'states' })) as Record<string, QueueState>,
    async close() {
      if (hasEnded) return;
      isClosing = true;
      await ask({ kind: 'close' });
      await thread.terminate();
    },
  };
};
