/**
 * Replaces the SDK clients' `send` once for the process: every call goes to the table, bucket and queues of the
 * history.
 */

import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { GetQueueAttributesCommand, type SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  PutCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { repeatWhileBusy, ServiceBusy } from '#shared/platform/patience.ts';
import { transactionCanceled, transactionConflict } from '../table/errors.ts';
import type { SimulatedTable } from '../table/simulated-table.ts';
import { refusable } from './busy-services.ts';
import type { CallOptions } from './invocations.ts';
import type { Machine } from './machine.ts';
import type { Queues } from './queues.ts';

export interface Services {
  machine: Machine;
  table: SimulatedTable;
  objects: Map<string, Uint8Array>;
  queues: Queues;
  schedules: Map<string, unknown>;
}

let current: Services | undefined;

export const useServices = (services: Services): void => {
  current = services;
};

const services = (): Services => {
  if (!current) throw new Error('no history is under way');
  return current;
};

interface Requests {
  RequestItems: Record<string, unknown[]>;
}

/** Processes only the first request of the batch. */
const firstOnly = (table: SimulatedTable, command: BatchWriteCommand): unknown => {
  const [[name, requests]] = Object.entries((command.input as unknown as Requests).RequestItems) as [
    [string, unknown[]],
  ];
  const [first, ...left] = requests;
  table.send(new BatchWriteCommand({ RequestItems: { [name]: [first as never] } }));
  return left.length === 0 ? {} : { UnprocessedItems: { [name]: left } };
};

/** Reads only the first key of the batch. */
const firstKeyOnly = (table: SimulatedTable, command: BatchGetCommand): unknown => {
  const [[name, { Keys = [], ...rest }]] = Object.entries(command.input.RequestItems!) as [
    [string, { Keys?: object[] }],
  ];
  const [first, ...left] = Keys;
  const read = table.send(new BatchGetCommand({ RequestItems: { [name]: { ...rest, Keys: [first as never] } } }));
  return left.length === 0 ? read : { ...(read as object), UnprocessedKeys: { [name]: { ...rest, Keys: left } } };
};

const tableOptions = (table: SimulatedTable, command: unknown): CallOptions => {
  if (command instanceof TransactWriteCommand)
    return {
      faults: ['conflict'],
      conflict: () =>
        transactionCanceled(command.input.TransactItems!.map((_, n) => (n === 0 ? 'TransactionConflict' : 'None'))),
    };
  if (command instanceof TransactGetCommand)
    return {
      faults: ['conflict'],
      conflict: () => transactionCanceled(command.input.TransactItems!.map(() => 'TransactionConflict')),
    };
  if (command instanceof PutCommand || command instanceof UpdateCommand || command instanceof DeleteCommand)
    // The SDK repeats these calls when an answer was lost. Transactions carry a token, so AWS does not apply them
    // twice.
    return { faults: ['conflict', 'twice', 'echo', 'die-late'], conflict: transactionConflict };
  if (command instanceof BatchWriteCommand)
    return { faults: ['unprocessed', 'twice'], unprocessed: () => firstOnly(table, command), isUnconditional: true };
  if (command instanceof BatchGetCommand)
    return { faults: ['unprocessed'], unprocessed: () => firstKeyOnly(table, command) };
  return {};
};

const transactedItems = (command: unknown): number =>
  command instanceof TransactWriteCommand ? command.input.TransactItems!.length : 0;

const nameOf = (command: object, detail: unknown): string =>
  `${command.constructor.name.replace('Command', '')} ${String(detail ?? '')}`;

interface Detailed {
  RequestItems?: Record<string, { PutRequest?: { Item: { pk: string } } }[]>;
  Key?: { sk: string };
  Item?: { sk: string };
  TransactItems?: object[];
}

/** For rows and documents: the third part of their partition key. */
const batchDetail = ({ RequestItems }: Detailed): string | undefined =>
  Object.values(RequestItems ?? {})[0]?.[0]?.PutRequest?.Item.pk.split('#')[2];

const detailOf = (input: Detailed): unknown =>
  input.Key?.sk ??
  input.Item?.sk ??
  input.TransactItems?.map((item: object) => detailOf(Object.values(item)[0])).join(' + ') ??
  batchDetail(input);

const bucket = (objects: Map<string, Uint8Array>, command: unknown): unknown => {
  if (command instanceof PutObjectCommand) {
    objects.set(command.input.Key!, new Uint8Array(command.input.Body as Uint8Array));
    return {};
  }
  if (command instanceof GetObjectCommand) {
    const object = objects.get(command.input.Key!);
    if (!object) throw Object.assign(new Error('no such key'), { name: 'NoSuchKey' });
    return { Body: { transformToByteArray: async () => object } };
  }
  if (command instanceof ListObjectsV2Command)
    return {
      Contents: [...objects.keys()].filter((key) => key.startsWith(command.input.Prefix!)).map((Key) => ({ Key })),
    };
  if (command instanceof DeleteObjectsCommand) {
    for (const { Key } of command.input.Delete!.Objects!) objects.delete(Key!);
    return {};
  }
  throw new Error(`the simulated bucket has no ${(command as object).constructor.name}`);
};

/** Stores only names: other tests check what a schedule does. */
const scheduler = (schedules: Map<string, unknown>, command: { input: { Name?: string } } & object): unknown => {
  const name = command.input.Name ?? '';
  const refusal = (kind: string): Error => Object.assign(new Error(kind), { name: kind });
  switch (command.constructor.name) {
    case 'CreateScheduleCommand':
      if (schedules.has(name)) throw refusal('ConflictException');
      schedules.set(name, command.input);
      return {};
    case 'DeleteScheduleCommand':
      if (!schedules.delete(name)) throw refusal('ResourceNotFoundException');
      return {};
    case 'GetScheduleCommand':
    case 'UpdateScheduleCommand':
      if (!schedules.has(name)) throw refusal('ResourceNotFoundException');
      return command.constructor.name === 'GetScheduleCommand' ? schedules.get(name) : {};
    default:
      return { Schedules: [...schedules.keys()].map((Name) => ({ Name })) };
  }
};

const answerInstead = (client: { prototype: object }, send: (command: never) => Promise<unknown>): void => {
  Object.assign(client.prototype, { send });
};

export const interceptClients = (): void => {
  answerInstead(DynamoDBDocumentClient, (command: { input: Record<string, unknown> }) => {
    const { machine, table } = services();
    return machine.call(
      nameOf(command, detailOf(command.input)),
      () => table.send(command),
      refusable('table', tableOptions(table, command), transactedItems(command)),
    );
  });
  answerInstead(S3Client, (command: { input: { Key?: string } }) => {
    const { machine, objects } = services();
    return machine.call(
      nameOf(command, ''),
      () => bucket(objects, command),
      refusable('bucket', { faults: ['twice'] }),
    );
  });
  answerInstead(SQSClient, (command: SendMessageCommand | GetQueueAttributesCommand) => {
    const { machine, queues } = services();
    const queue = command.input.QueueUrl!.split('/').at(-1)!;
    if (command instanceof GetQueueAttributesCommand) {
      const answer = () => ({ Attributes: { ApproximateNumberOfMessages: String(queues.length(queue)) } });
      return machine.call(`measure ${queue}`, answer, refusable('queue', {}));
    }
    const { MessageBody, DelaySeconds } = command.input;
    const options = refusable('queue', { faults: ['twice'] });
    return machine.call(`send ${queue}`, () => queues.send(queue, MessageBody!, DelaySeconds ?? 0), options);
  });
  answerInstead(SchedulerClient, (command: { input: { Name?: string } }) => {
    const { machine, schedules } = services();
    return machine.call(command.constructor.name, () => scheduler(schedules, command), refusable('scheduler'));
  });
};

/** A call of the encryption key, which fails as shared/platform/crypto.ts reports it: the key did not answer. */
export const askKey = async (): Promise<void> => {
  if (!current) return;
  const { machine } = current;
  try {
    await repeatWhileBusy(() => machine.call('key', () => undefined, refusable('key')));
  } catch (error) {
    throw error instanceof ServiceBusy ? error : new ServiceBusy('the encryption key did not answer', { cause: error });
  }
};
