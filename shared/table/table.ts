/**
 * The only file that imports lib-dynamodb. Conditions make writes idempotent; a failed condition becomes the error that
 * the caller names. Collisions and throttled calls are repeated with jitter (architecture.md §4, `makePatient`). Other
 * errors are thrown.
 */
import { randomUUID } from 'node:crypto';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  paginateQuery,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { documentClient } from '#shared/platform/aws.ts';
import { chunks, forEachConcurrent } from '#shared/platform/concurrency.ts';
import { env } from '#shared/platform/env.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import { repeatWhileBusy, Unprocessed } from '#shared/platform/patience.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import { DUE_INDEX, type DueEntry } from './due-keys.ts';
import { ConditionRefused } from './errors.ts';
import { type Change, type Condition, conditionExpression, updateExpression, type Values } from './expressions.ts';
import type { Key } from './keys.ts';

export type Item = Values & Key;

const TableName = () => env(VARIABLES.table);

export interface ConditionRefusal {
  /** Returns the domain error for a failed condition. */
  otherwise?: () => Error;
}

interface CancellationReason {
  Code?: string;
}

/** Returns only the key's attributes, because callers may pass whole items as keys. */
const keyOf = ({ pk, sk }: Key): Key => ({ pk, sk });

const refused = (error: unknown, key: Key, refusal: ConditionRefusal | undefined): unknown =>
  (error as { name?: string }).name === 'ConditionalCheckFailedException'
    ? (refusal?.otherwise?.() ?? new ConditionRefused(key.sk))
    : error;

export const get = async (key: Key, options: { consistent?: boolean } = {}): Promise<Item | undefined> => {
  const { Item } = await documentClient().send(
    new GetCommand({ TableName: TableName(), Key: keyOf(key), ConsistentRead: options.consistent ?? true }),
  );
  return Item as Item | undefined;
};

export const put = async (item: Item, condition: Condition & ConditionRefusal = {}): Promise<void> => {
  try {
    await documentClient().send(
      new PutCommand({ TableName: TableName(), Item: item, ...conditionExpression(condition) }),
    );
  } catch (error) {
    throw refused(error, item, condition);
  }
};

/**
 * Returns the items as they are in one instant, in the order of the keys. Costs twice as much as `get`, for callers that
 * must not see a part of a commit.
 */
export const getTogether = async (wanted: readonly Key[]): Promise<(Item | undefined)[]> => {
  const gets = wanted.map((key) => ({ Get: { TableName: TableName(), Key: keyOf(key) } }));
  const { Responses = [] } = await documentClient().send(new TransactGetCommand({ TransactItems: gets }));
  return Responses.map(({ Item }) => Item as Item | undefined);
};

/** Changes an item. Returns the item after the change. */
export const update = async (key: Key, change: Change & ConditionRefusal): Promise<Item> => {
  try {
    const { Attributes } = await documentClient().send(
      new UpdateCommand({
        TableName: TableName(),
        Key: keyOf(key),
        ...updateExpression(change),
        ReturnValues: 'ALL_NEW',
      }),
    );
    return Attributes as Item;
  } catch (error) {
    throw refused(error, key, change);
  }
};

export const remove = async (key: Key, condition: Condition & ConditionRefusal = {}): Promise<void> => {
  try {
    await documentClient().send(
      new DeleteCommand({ TableName: TableName(), Key: keyOf(key), ...conditionExpression(condition) }),
    );
  } catch (error) {
    throw refused(error, key, condition);
  }
};

export interface QueryOptions {
  /** Limits the query to sort keys with this prefix, or between `from` and `to` (inclusive). */
  prefix?: string;
  from?: string;
  to?: string;
  descending?: boolean;
  limit?: number;
  consistent?: boolean;
  /** Reads only these attributes. */
  attributes?: readonly string[];
}

const rangeOf = (options: QueryOptions): { condition: string; values: Values } => {
  if (options.from !== undefined && options.to !== undefined)
    return { condition: ' AND sk BETWEEN :from AND :to', values: { ':from': options.from, ':to': options.to } };
  if (options.to !== undefined) return { condition: ' AND sk <= :to', values: { ':to': options.to } };
  if (options.from !== undefined) return { condition: ' AND sk >= :from', values: { ':from': options.from } };
  if (options.prefix) return { condition: ' AND begins_with(sk, :prefix)', values: { ':prefix': options.prefix } };
  return { condition: '', values: {} };
};

/** Yields matching items page by page, up to `limit`, for callers that reduce each page at once. */
export async function* queryPages(pk: string, options: QueryOptions = {}): AsyncGenerator<Item[]> {
  const { condition, values } = rangeOf(options);
  let left = options.limit ?? Number.POSITIVE_INFINITY;
  let start: Record<string, unknown> | undefined;
  do {
    const answer = await documentClient().send(
      new QueryCommand({
        TableName: TableName(),
        KeyConditionExpression: `pk = :pk${condition}`,
        ExpressionAttributeValues: { ':pk': pk, ...values },
        ConsistentRead: options.consistent ?? true,
        ScanIndexForward: !options.descending,
        ...(options.limit === undefined ? {} : { Limit: left }),
        ...(options.attributes
          ? {
              ProjectionExpression: options.attributes.map((name) => `#${name}`).join(', '),
              ExpressionAttributeNames: Object.fromEntries(options.attributes.map((name) => [`#${name}`, name])),
            }
          : {}),
        ...(start ? { ExclusiveStartKey: start } : {}),
      }),
    );
    const items = (answer.Items ?? []) as Item[];
    left -= items.length;
    start = answer.LastEvaluatedKey;
    yield items;
  } while (start && left > 0);
}

/** Returns all matching items, up to `limit`. */
export const query = async (pk: string, options: QueryOptions = {}): Promise<Item[]> => {
  const items: Item[] = [];
  for await (const page of queryPages(pk, options)) for (const item of page) items.push(item);
  return items;
};

/** Yields the keys of a shard's items that are due up to `dueSk`, earliest first, page by page. */
export async function* queryDuePages(duePk: string, dueSk: string): AsyncGenerator<DueEntry[]> {
  const wanted = {
    TableName: TableName(),
    IndexName: DUE_INDEX,
    KeyConditionExpression: 'due_pk = :pk AND due_sk <= :due',
    ExpressionAttributeValues: { ':pk': duePk, ':due': dueSk },
  };
  for await (const { Items } of paginateQuery({ client: documentClient() }, wanted)) yield (Items ?? []) as DueEntry[];
}

/**
 * Returns the items that exist, unordered. Unprocessed keys are requested again. `consistent: false` costs half, for
 * callers that can detect old data, because it may return old data.
 */
export const batchGet = async (
  wanted: readonly Key[],
  { attributes, consistent = true }: { attributes?: readonly string[]; consistent?: boolean } = {},
): Promise<Item[]> => {
  const found: Item[] = [];
  await forEachConcurrent(chunks(wanted.map(keyOf), 100), TABLE_LIMITS.tableParallelMax, async (chunk) => {
    let left: Key[] = chunk;
    await repeatWhileBusy(async () => {
      const answer = await documentClient().send(
        new BatchGetCommand({
          RequestItems: {
            [TableName()]: {
              Keys: left,
              ConsistentRead: consistent,
              ...(attributes
                ? {
                    ProjectionExpression: attributes.map((name) => `#${name}`).join(', '),
                    ExpressionAttributeNames: Object.fromEntries(attributes.map((name) => [`#${name}`, name])),
                  }
                : {}),
            },
          },
        }),
      );
      found.push(...((answer.Responses?.[TableName()] ?? []) as Item[]));
      left = (answer.UnprocessedKeys?.[TableName()]?.Keys ?? []) as Key[];
      if (left.length > 0) throw new Unprocessed('batchGet');
    });
  });
  return found;
};

export interface BatchWrites {
  puts?: readonly Item[];
  removes?: readonly Key[];
}

/** Writes without conditions, 25 per call. Repeats unprocessed writes. `check` runs before each call and may throw. */
export const batchWrite = async (writes: BatchWrites, check: () => void = () => undefined): Promise<void> => {
  const requests = [
    ...(writes.puts ?? []).map((item) => ({ PutRequest: { Item: item } })),
    ...(writes.removes ?? []).map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
  ];
  await forEachConcurrent(chunks(requests, 25), TABLE_LIMITS.tableParallelMax, async (chunk) => {
    let left: typeof requests = chunk;
    await repeatWhileBusy(async () => {
      check();
      const answer = await documentClient().send(new BatchWriteCommand({ RequestItems: { [TableName()]: left } }));
      left = (answer.UnprocessedItems?.[TableName()] ?? []) as typeof requests;
      if (left.length > 0) throw new Unprocessed('batchWrite');
    });
  });
};

export type TransactItem =
  | ({ put: Item } & Condition & ConditionRefusal)
  | ({ update: Key } & Change & ConditionRefusal)
  | ({ remove: Key } & Condition & ConditionRefusal)
  | ({ check: Key } & Condition & ConditionRefusal);

type WireTransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** Returns the request form of one item of a transaction. Pure. */
export const transactItem = (item: TransactItem, table: string): WireTransactItem => {
  if ('put' in item) return { Put: { TableName: table, Item: item.put, ...conditionExpression(item) } };
  if ('update' in item)
    return {
      Update: {
        TableName: table,
        Key: keyOf(item.update),
        ...(updateExpression(item) as { UpdateExpression: string }),
      },
    };
  if ('remove' in item) return { Delete: { TableName: table, Key: keyOf(item.remove), ...conditionExpression(item) } };
  return {
    ConditionCheck: {
      TableName: table,
      Key: keyOf(item.check),
      ...(conditionExpression(item) as { ConditionExpression: string }),
    },
  };
};

/**
 * Writes all items or none. Throws the named error of the first failed condition. All repetitions have one token: if the
 * answer of the first was lost, a later one would otherwise be refused by what the first wrote.
 */
export const transact = async (items: readonly TransactItem[]): Promise<void> => {
  const wire = items.map((item) => transactItem(item, TableName()));
  try {
    await documentClient().send(new TransactWriteCommand({ TransactItems: wire, ClientRequestToken: randomUUID() }));
  } catch (error) {
    const reasons = (error as { CancellationReasons?: CancellationReason[] }).CancellationReasons;
    if ((error as { name?: string }).name !== 'TransactionCanceledException' || !reasons) throw error;
    const at = reasons.findIndex((reason) => reason.Code === 'ConditionalCheckFailed');
    if (at < 0) throw error;
    throw items[at]!.otherwise?.() ?? new ConditionRefused(`transaction item ${at}`);
  }
};
