/**
 * Long polls with as many parallel invocations as the contract allows; each environment has one invocation at a time,
 * as Lambda runs this worker.
 */
import { openSync, writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { DeleteMessageBatchCommand, type Message, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Context } from 'aws-lambda';
import { contract } from '#functions/workers/deliver-webhook/contract.ts';
import { DeliveryDue } from '#shared/messaging/queues.ts';
import { worker } from '#shared/messaging/worker.ts';
import { documentClient } from '#shared/platform/aws.ts';
import { deliver, readContexts } from '#shared/webhooks/deliver.ts';
import { doneMessages, toRecord } from '#tools/local/sqs-records.ts';
import type { ThreadData, ThreadRequest, Units } from './delivery-workers.ts';

const { batchSize } = contract.trigger;
const { environments: environmentsMax } = workerData as ThreadData;
const LONG_POLL_SECONDS = 20;
const QueueUrl = `${process.env.QUEUE_URL_PREFIX}webhook-deliveries`;
const units: Units = { read: 0, write: 0 };
let isCounting = true;

interface Capacity {
  ReadCapacityUnits?: number;
  WriteCapacityUnits?: number;
  CapacityUnits?: number;
}

documentClient().middlewareStack.add(
  (next, { commandName = '' }) =>
    async (args) => {
      if (!isCounting) return next(args);
      Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' });
      const result = await next(args);
      const told = (result.output as { ConsumedCapacity?: Capacity | Capacity[] }).ConsumedCapacity;
      const isRead = /Get|Query/.test(commandName);
      for (const each of told === undefined ? [] : [told].flat())
        units[isRead ? 'read' : 'write'] += each.CapacityUnits ?? 0;
      return result;
    },
  { step: 'initialize', priority: 'low' },
);

// Metrics are written as on AWS, but discarded. Lambda writes them to a file descriptor; a thread's own stdout would
// pass each line to the main thread.
const nowhere = openSync('/dev/null', 'w');
process.stdout.write = (line: string | Uint8Array): boolean => writeSync(nowhere, line as string) > 0;

const client = new SQSClient({ useQueueUrlAsEndpoint: false });
const environments = Array.from({ length: environmentsMax }, () =>
  worker(contract.id, DeliveryDue, deliver, readContexts),
);

const invoke = async (environment: ReturnType<typeof worker>, batch: readonly Message[]): Promise<void> => {
  const endMs = performance.now() + contract.timeoutSeconds * 1_000;
  const context = { getRemainingTimeInMillis: () => endMs - performance.now() } as unknown as Context;
  const records = batch.map((message) => toRecord(message, `arn:aws:sqs:us-east-1:0:${contract.trigger.queue}`, ''));
  const answer = await environment({ Records: records }, context);
  const ids = records.map(({ messageId }) => messageId);
  const done = new Set(doneMessages(ids, JSON.stringify(answer)));
  const Entries = records
    .filter(({ messageId }) => done.has(messageId))
    .map(({ receiptHandle }, n) => ({ Id: String(n), ReceiptHandle: receiptHandle }));
  if (Entries.length > 0) await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
};

parentPort?.on('message', (request: ThreadRequest) => {
  if (request === 'units') parentPort?.postMessage({ ...units });
  else isCounting = false;
});
parentPort?.postMessage('ready');

const running = new Set<Promise<void>>();
for (;;) {
  if (environments.length === 0) await Promise.race(running);
  const received = await client.send(
    new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: batchSize,
      WaitTimeSeconds: LONG_POLL_SECONDS,
    }),
  );
  const { Messages: batch = [] } = received;
  if (batch.length === 0) continue;
  const environment = environments.pop()!;
  const work = invoke(environment, batch)
    .catch((error: unknown) => console.error('a batch failed:', (error as Error).message))
    .finally(() => {
      running.delete(work);
      environments.push(environment);
    });
  running.add(work);
}
