/**
 * A scope worker in a separate process: the deployed bundle, which receives messages as from its queue. Started by
 * `months.ts`. Memory and time are those of only this process, independent of other load on the machine.
 */
import { readFileSync } from 'node:fs';

export interface WorkerJob {
  environmentFile: string;
  /** Path of the function's bundle. */
  bundle: string;
  /** `<source>.<scope>`. */
  scope: string;
}

/** Since the process began. The first report has the values before the first message. */
export interface WorkerState {
  peakMiB: number;
  cpuSeconds: number;
}

const INVOCATION_MS = 300_000;
const job = JSON.parse(process.argv[2]!) as WorkerJob;
Object.assign(process.env, JSON.parse(readFileSync(job.environmentFile, 'utf8')), {
  SCOPE: job.scope,
  // The stack's own worker must not take the task: no message is sent, and the sweeper waits a minute.
  AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:9',
});

const { handler } = (await import(job.bundle)) as {
  handler(event: object, context: object): Promise<{ batchItemFailures: unknown[] }>;
};

const tell = (): void => {
  const { user, system } = process.cpuUsage();
  const state: WorkerState = {
    peakMiB: process.resourceUsage().maxRSS / 1024,
    cpuSeconds: (user + system) / 1e6,
  };
  process.send!(state);
};

process.on('message', async (body: object) => {
  const endsMs = performance.now() + INVOCATION_MS;
  const record = { messageId: 'bench', body: JSON.stringify(body), eventSource: 'aws:sqs' };
  const context = { awsRequestId: 'bench', getRemainingTimeInMillis: () => endsMs - performance.now() };
  await handler({ Records: [record] }, context);
  tell();
});
tell();
