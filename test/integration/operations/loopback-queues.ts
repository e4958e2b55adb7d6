/** Real queues on loopback (fauxqs), and the operator's `npm run redrive` over them. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { SQSClient } from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import { afterAll, beforeAll } from 'vitest';

const REDRIVE = new URL('../../../tools/operations/redrive.ts', import.meta.url).pathname;
export const CREDENTIALS = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };

export interface LoopbackQueues {
  sqs: SQSClient;
  endpoint: string;
}

/** The fields are set before the first test of the file or block. */
export const useLoopbackQueues = (): LoopbackQueues => {
  const app = buildApp({ logger: false });
  const queues = {} as LoopbackQueues;
  beforeAll(async () => {
    queues.endpoint = await app.listen({ host: '127.0.0.1', port: 0 });
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    const { endpoint } = queues;
    queues.sqs = new SQSClient({ endpoint, region: 'us-east-1', credentials, useQueueUrlAsEndpoint: false });
  });
  afterAll(async () => {
    queues.sqs.destroy();
    await app.close();
  });
  return queues;
};

/** If the exit code is not 0, rejects with `code`, `stdout` and `stderr`. */
export const redrive = (options: readonly string[], environment: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, [REDRIVE, ...options], {
    env: { ...process.env, ...CREDENTIALS, ...environment },
  });
