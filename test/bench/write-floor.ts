/** The floor of storing rows: the same items, prepared beforehand and written with bare `BatchWriteItem`. */
import { randomUUID } from 'node:crypto';
import {
  type AttributeValue,
  BatchWriteItemCommand,
  type DynamoDBClient,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { nowIso } from '#shared/platform/clock.ts';
import { chunks, forEachConcurrent } from '#shared/platform/concurrency.ts';
import { fullItem, listItem } from '#shared/rows/item/row-items.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { toSequence } from '#shared/table/late-writers.ts';
import type { Lease } from '#shared/table/lease.ts';
import { type RegisterMonth, readMonth } from './register-month.ts';

/** The lease of a first worker in its first period. */
const LEASE = { fence: 1, writes: 1 } as Lease;
const BATCH_ITEMS = 25;

const attributeOf = (value: unknown): AttributeValue =>
  typeof value === 'string'
    ? { S: value }
    : typeof value === 'number'
      ? { N: String(value) }
      : { B: value as Uint8Array };

/** Items of rows contain only texts, numbers and bytes. */
const onWire = (item: object): Record<string, AttributeValue> =>
  Object.fromEntries(
    Object.entries(item).flatMap(([name, value]) => (value === undefined ? [] : [[name, attributeOf(value)]])),
  );

/** Both items of every document in wire format, in the order in which a sync writes them. */
export const floorItems = async (month: RegisterMonth): Promise<Record<string, AttributeValue>[]> => {
  const address = { organizationId: randomUUID(), connectionId: randomUUID(), scope: taxRcv.name };
  const runId = randomUUID();
  const history = { createdAt: nowIso(), createdRun: runId, updatedRun: runId, createdSequence: toSequence(LEASE) };
  const held = { address, scope: taxRcv, period: month.period, lease: LEASE };
  const { rows } = await readMonth(month, address.connectionId);
  return chunks(rows.list, BATCH_ITEMS).flatMap((few) => {
    const opened = rows.open(few);
    const full = opened.map((row) => fullItem(held, row, history, 0));
    const listed = opened.map((row) => listItem(held, row, history));
    return [...full, ...listed].map(onWire);
  });
};

export const writeFloor = async (
  client: DynamoDBClient,
  tableName: string,
  items: readonly Record<string, AttributeValue>[],
  width: number,
): Promise<void> => {
  const batches = chunks(
    items.map((Item): WriteRequest => ({ PutRequest: { Item } })),
    BATCH_ITEMS,
  );
  await forEachConcurrent(batches, width, async (batch) => {
    await client.send(new BatchWriteItemCommand({ RequestItems: { [tableName]: batch } }));
  });
};
