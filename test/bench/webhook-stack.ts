/** Table, queue of deliveries and key for the webhook worker, with the queue configured as deployed. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTable } from '#test/helpers/dynamo.ts';
import { createClock } from '#tools/local/clock.ts';
import { startQueues } from '#tools/local/queues.ts';

export const DELIVERIES = 'webhook-deliveries';
/** Queue of the floor, which no webhook worker reads. */
export const FLOOR = 'floor';
/** The rest of one load must not slow down the next. */
const REST_MS_MAX = 120_000;
const LOOK_MS = 100;

export interface WebhookStack {
  tableName: string;
  url(queue: string): string;
  /** Waits until the queue is empty. Throws if some messages stay. */
  rest(queue?: string): Promise<void>;
  /**
   * Renews the table: dynoxide stores the tokens of transactions for ten minutes, and reads all of them at each
   * transaction.
   */
  renewTable(): Promise<void>;
  stop(): Promise<void>;
}

/** Points `process.env` at the stack. */
export const startWebhookStack = async (): Promise<WebhookStack> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-webhooks-'));
  const clock = createClock(join(folder, 'clock.json'));
  const table = await startTable();
  const queues = await startQueues({ clock, storageFolder: join(folder, 's3'), region: 'us-east-1' });
  // As in infra/constructs/work-queue.ts: six times the worker's time-out.
  const made = (name: string) => ({ name, arn: '', attributes: { VisibilityTimeout: '360' }, visibilityMs: 360_000 });
  await queues.create([made(DELIVERIES), made(FLOOR)], []);
  const keyFile = join(folder, 'key');
  writeFileSync(keyFile, randomBytes(32).toString('base64'), { mode: 0o600 });
  Object.assign(process.env, {
    STAGE: 'local',
    WEBHOOK_LOOPBACK_ALLOWED: 'true',
    ENCRYPTION_KEY_FILE: keyFile,
    QUEUE_URL_PREFIX: queues.url(''),
    AWS_ENDPOINT_URL_SQS: queues.endpoint,
    POWERTOOLS_LOG_LEVEL: 'SILENT',
  });
  return {
    tableName: table.tableName,
    url: queues.url,
    renewTable: table.renew,
    rest: async (queue = DELIVERIES) => {
      for (const untilMs = performance.now() + REST_MS_MAX; ; await sleep(LOOK_MS)) {
        const state = (await queues.states())[queue];
        if (state !== undefined && state.ready + state.inFlight + state.delayed === 0) return;
        if (performance.now() > untilMs) throw new Error('this machine cannot carry the load');
      }
    },
    stop: async () => {
      await queues.close();
      await table.stop();
      clock.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
