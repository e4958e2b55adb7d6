/**
 * The durable minimum per delivery, in a thread: receive, write, signed POST, write, delete; it reads nothing,
 * validates nothing and writes without conditions.
 */
import { request } from 'node:http';
import { workerData } from 'node:worker_threads';
import { DeleteMessageBatchCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { nowSeconds } from '#shared/platform/clock.ts';
import * as table from '#shared/table/table.ts';
import { signedHeaders } from '#shared/webhooks/signing.ts';

export interface FloorLanes {
  queueUrl: string;
  lanes: number;
}

export interface FloorMessage {
  url: string;
  secret: string;
  id: string;
  body: string;
  /** Item of the table with the size of a delivery. */
  item: table.Item;
}

const BATCH = 10;
const LONG_POLL_SECONDS = 20;
const { queueUrl: QueueUrl, lanes } = workerData as FloorLanes;
const client = new SQSClient({ useQueueUrlAsEndpoint: false });

/** One connection per request, as for every attempt. */
const post = (url: string, headers: Record<string, string>, body: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, agent: false }, (answer) => {
      answer.resume();
      answer.on('end', resolve);
    });
    sent.on('error', reject);
    sent.end(body);
  });

const deliver = async ({ url, secret, id, body, item }: FloorMessage): Promise<void> => {
  await table.put({ ...item, status: 'delivering' });
  await post(url, signedHeaders(secret, id, nowSeconds(), Buffer.from(body)), body);
  await table.put({ ...item, status: 'delivered' });
};

const lane = async (): Promise<void> => {
  for (;;) {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: BATCH, WaitTimeSeconds: LONG_POLL_SECONDS }),
    );
    await Promise.all(Messages.map(({ Body }) => deliver(JSON.parse(Body!))));
    const Entries = Messages.map(({ ReceiptHandle }, n) => ({ Id: String(n), ReceiptHandle }));
    if (Entries.length > 0) await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
  }
};

await Promise.all(Array.from({ length: lanes }, lane));
