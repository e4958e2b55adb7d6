/**
 * The thread in which fauxqs runs. `Date.now` is replaced before fauxqs is loaded, so that fauxqs uses the virtual
 * clock.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { QueueState, QueueThreadData, QueueThreadRequest } from './queues.ts';
import { sharedNowMs } from './shared-clock.ts';

const { clock, storageFolder, region } = workerData as QueueThreadData;
Date.now = () => sharedNowMs(clock);

interface Message {
  delayUntil?: number;
}

interface SqsStore {
  host: string;
  region: string;
  buildQueueUrl(name: string, port: string, host: string, region: string): string;
  createQueue(name: string, url: string, arn: string, attributes: Record<string, string>): unknown;
  getQueueByName(name: string): unknown;
  processAllTimers(): void;
  allQueues(): Iterable<{
    name: string;
    messages: Message[];
    delayedMessages: Message[];
    inflightMessages: Map<string, { visibilityDeadline: number }>;
  }>;
}

interface S3Store {
  persistence?: { loadS3(store: S3Store): void; close(): void };
  createBucket(name: string): void;
  hasBucket(name: string): boolean;
}

// These modules are imported by path, because the package exports only its app: `buildApp` needs stores, but no
// exported class creates them, and `startFauxqs`, which would set the storage folder, binds 0.0.0.0. The version is
// pinned, and a test restarts the stack to check that objects are still there.
const inside = dirname(fileURLToPath(import.meta.resolve('fauxqs')));
const deep = async (path: string): Promise<Record<string, new (...args: string[]) => unknown>> =>
  await import(pathToFileURL(join(inside, path)).href);
const { buildApp } = await import('fauxqs');
const sqsStore = new (await deep('sqs/sqsStore.js')).SqsStore!() as SqsStore;
const snsStore = new (await deep('sns/snsStore.js')).SnsStore!();
const s3Store = new (await deep('s3/s3Store.js')).S3Store!() as S3Store;
const files = new (await deep('s3/fileS3Persistence.js')).FileS3Persistence!(storageFolder) as NonNullable<
  S3Store['persistence']
>;
files.loadS3(s3Store);
s3Store.persistence = files;
// Without a configured host, fauxqs builds queue URLs from the host of the request, which is 127.0.0.1.
sqsStore.host = '';
sqsStore.region = region;

const stores = { sqsStore, snsStore, s3Store } as unknown as NonNullable<
  NonNullable<Parameters<typeof buildApp>[0]>['stores']
>;
const app = buildApp({ logger: false, stores, defaultRegion: region });
const endpoint = await app.listen({ host: '127.0.0.1', port: 0 });
const { host, port } = new URL(endpoint);

const stateOf = (queue: ReturnType<SqsStore['allQueues']> extends Iterable<infer Q> ? Q : never): QueueState => {
  const delayed = queue.delayedMessages;
  const inFlight = [...queue.inflightMessages.values()];
  const due = [...delayed.map(({ delayUntil = 0 }) => delayUntil), ...inFlight.map((each) => each.visibilityDeadline)];
  return {
    ready: queue.messages.length,
    delayed: delayed.length,
    inFlight: inFlight.length,
    nextDueMs: due.length > 0 ? due.reduce((least, each) => Math.min(least, each)) : undefined,
  };
};

const answer = async (request: QueueThreadRequest): Promise<unknown> => {
  if (request.kind === 'states') {
    sqsStore.processAllTimers();
    return Object.fromEntries([...sqsStore.allQueues()].map((queue) => [queue.name, stateOf(queue)]));
  }
  if (request.kind === 'create') {
    for (const { name, attributes } of request.queues)
      if (!sqsStore.getQueueByName(name))
        sqsStore.createQueue(
          name,
          sqsStore.buildQueueUrl(name, port, host, region),
          `arn:aws:sqs:${region}:000000000000:${name}`,
          attributes,
        );
    for (const bucket of request.buckets) if (!s3Store.hasBucket(bucket)) s3Store.createBucket(bucket);
    return undefined;
  }
  await app.close();
  files.close();
  return undefined;
};

parentPort?.on('message', async ({ id, request }: { id: number; request: QueueThreadRequest }) => {
  try {
    parentPort?.postMessage({ id, value: await answer(request) });
  } catch (error) {
    parentPort?.postMessage({ id, error: (error as Error).message });
  }
});
parentPort?.postMessage({ endpoint });
