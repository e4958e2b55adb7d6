/**
 * SQS event source mappings: long polls, batches, partial failures, as in architecture.md §7.3. A failed message stays
 * invisible until its visibility timeout ends. The queue then delivers it again, or moves it to its dead-letter queue.
 *
 * `atLeastOnce` (0..1) simulates duplicate deliveries, which are rare on AWS. This share of the messages is delivered
 * twice, the second time later and in another batch, and every batch is shuffled.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteMessageBatchCommand, type Message, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { FunctionPool } from './functions.ts';
import type { MappingModel } from './model.ts';
import { doneMessages, toRecord } from './sqs-records.ts';

/**
 * Highest number of batches of one mapping at a time. Lambda starts a mapping with five pollers, and a machine with two
 * cores needs no more.
 */
const CONCURRENCY_MAX = 5;
const LONG_POLL_SECONDS = 20;
const RETRY_PAUSE_MS = 200;
const SECOND_DELIVERY_DELAY_MS_MAX = 500;

interface EventSources {
  /** Number of batches that were received and are not settled yet. */
  busy(): number;
  close(): Promise<void>;
}

interface EventSourceOptions {
  endpoint: string;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  queueUrl(arn: string): string;
  functions: FunctionPool;
  /** Share of messages that are delivered twice, 0..1. */
  atLeastOnce?: number;
  /** Returns a random number in 0..1; tests replace it. */
  random?: () => number;
}

const shuffled = <T>(list: readonly T[], random: () => number): T[] =>
  list
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

export const startEventSources = (mappings: readonly MappingModel[], options: EventSourceOptions): EventSources => {
  const { functions, region, atLeastOnce = 0, random = Math.random } = options;
  const stopping = new AbortController();
  let busy = 0;
  const client = new SQSClient({
    endpoint: options.endpoint,
    region,
    credentials: options.credentials,
    useQueueUrlAsEndpoint: false,
    // Each mapping has a long poll that is always open, so the client needs a socket for each mapping in addition to
    // the sockets for batches.
    requestHandler: { httpAgent: { maxSockets: mappings.length * (CONCURRENCY_MAX + 1) + 10 } },
  });

  const receive = async (mapping: MappingModel): Promise<Message[]> => {
    const command = new ReceiveMessageCommand({
      QueueUrl: options.queueUrl(mapping.queueArn),
      MaxNumberOfMessages: mapping.batchSize,
      WaitTimeSeconds: LONG_POLL_SECONDS,
      MessageSystemAttributeNames: ['All'],
    });
    return (await client.send(command, { abortSignal: stopping.signal })).Messages ?? [];
  };

  const deliver = async (mapping: MappingModel, batch: readonly Message[]): Promise<void> => {
    const records = batch.map((message) => toRecord(message, mapping.queueArn, region));
    const result = await functions.invoke(mapping.functionArn, { Records: records }, 'background');
    const json = 'json' in result ? result.json : undefined;
    const ids = records.map(({ messageId }) => messageId);
    const done = new Set(doneMessages(ids, json));
    const Entries = records
      .filter(({ messageId }) => done.has(messageId))
      .map(({ receiptHandle }, index) => ({ Id: String(index), ReceiptHandle: receiptHandle }));
    if (Entries.length === 0) return;
    await client.send(new DeleteMessageBatchCommand({ QueueUrl: options.queueUrl(mapping.queueArn), Entries }));
  };

  const settle = async (mapping: MappingModel, batch: readonly Message[]): Promise<void> => {
    busy += 1;
    try {
      if (atLeastOnce === 0) return await deliver(mapping, batch);
      const twice = batch.filter(() => random() < atLeastOnce);
      const second = async (message: Message) => {
        await sleep(random() * SECOND_DELIVERY_DELAY_MS_MAX);
        await deliver(mapping, [message]);
      };
      await Promise.all([deliver(mapping, shuffled(batch, random)), ...shuffled(twice, random).map(second)]);
    } catch (error) {
      // A failure of the function is a result and not an error, so an error here comes from the queue server. The queue
      // delivers the messages again.
      if (!stopping.signal.aborted) console.error(`event source of ${mapping.functionArn}:`, (error as Error).message);
    } finally {
      busy -= 1;
    }
  };

  const poll = async (mapping: MappingModel): Promise<void> => {
    const concurrencyMax = Math.min(mapping.maxConcurrency, CONCURRENCY_MAX);
    const running = new Set<Promise<void>>();
    while (!stopping.signal.aborted) {
      try {
        if (running.size >= concurrencyMax) await Promise.race(running);
        const batch = await receive(mapping);
        if (batch.length === 0) continue;
        const work: Promise<void> = settle(mapping, batch).finally(() => running.delete(work));
        running.add(work);
      } catch (error) {
        if (stopping.signal.aborted) break;
        console.error(`event source of ${mapping.functionArn}:`, (error as Error).message);
        await sleep(RETRY_PAUSE_MS);
      }
    }
    await Promise.all(running);
  };

  const polls = mappings.map(poll);
  return {
    busy: () => busy,
    async close() {
      stopping.abort();
      await Promise.all(polls);
      client.destroy();
    },
  };
};
