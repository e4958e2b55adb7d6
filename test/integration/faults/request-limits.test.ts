/**
 * The simulated table refuses what a real table engine refuses for any stored items: unused parts,
 * empty keys, ranges that end before they begin, and what is too large.
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTable, type TestTable } from '#test/helpers/dynamo.ts';
import { SimulatedTable } from '../../faults/table/simulated-table.ts';

let real: TestTable;
let client: DynamoDBDocumentClient;
beforeAll(async () => {
  real = await startTable();
  client = DynamoDBDocumentClient.from(new DynamoDBClient());
});
afterAll(async () => {
  client.destroy();
  await real.stop();
});

const KB = 1024;
const Key = { pk: 'row', sk: 'row' };
const Unseen = { pk: 'unseen', sk: 'unseen' };
const large = (sk: string, kilobytes: number) => ({ pk: 'large', sk, bytes: new Uint8Array(kilobytes * KB) });
const UNUSED = { ConditionExpression: 'attribute_not_exists(pk)', ExpressionAttributeValues: { ':unused': 1 } };
const BY_PK = { KeyConditionExpression: 'pk = :pk', ConsistentRead: true };
const VALIDATION = 'ValidationException';

/** Inputs are made when the table has its name. */
const puts = (items: object[]) => ({
  TransactItems: items.map((Item) => ({ Put: { TableName: real.tableName, Item } })),
});
const on = (input: object) => ({ TableName: real.tableName, ...input }) as never;
const put = (input: object) => new PutCommand(on(input));
const update = (UpdateExpression: string, more: object) => new UpdateCommand(on({ Key, UpdateExpression, ...more }));
const between = (from: string, to: string) =>
  new QueryCommand(
    on({
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ConsistentRead: true,
      ExpressionAttributeValues: { ':pk': 'row', ':from': from, ':to': to },
    }),
  );
const transact = (input: object) => new TransactWriteCommand(input as never);

test.each<[string, string, () => unknown]>([
  ['an item of 399 KB', 'taken', () => put({ Item: large('row', 399) })],
  ['an item of 400 KB and its key', VALIDATION, () => put({ Item: large('row', 400) })],
  [
    'an update that makes an item too large',
    VALIDATION,
    () => update('SET more = :m', { ExpressionAttributeValues: { ':m': new Uint8Array(400 * KB) } }),
  ],
  [
    'a batch with an item that is too large',
    VALIDATION,
    () => new BatchWriteCommand({ RequestItems: { [real.tableName]: [{ PutRequest: { Item: large('row', 400) } }] } }),
  ],
  ['a transaction with an item that is too large', VALIDATION, () => transact(puts([{ ...Key }, large('row', 400)]))],
  [
    'a transaction of less than 4 MB',
    'taken',
    () => transact(puts(Array.from({ length: 10 }, (_, n) => large(`part ${n}`, 399)))),
  ],
  [
    'a transaction of more than 4 MB',
    VALIDATION,
    () => transact(puts(Array.from({ length: 11 }, (_, n) => large(`part ${n}`, 399)))),
  ],
  ['a value that no condition uses', VALIDATION, () => put({ Item: Unseen, ...UNUSED })],
  [
    'a value that no update uses',
    VALIDATION,
    () => update('SET more = :m', { ExpressionAttributeValues: { ':m': 1, ':unused': 1 } }),
  ],
  [
    'a name that no update uses',
    VALIDATION,
    () => update('REMOVE more', { ExpressionAttributeNames: { '#unused': 'x' } }),
  ],
  [
    'a value that no query uses',
    VALIDATION,
    () => new QueryCommand(on({ ...BY_PK, ExpressionAttributeValues: { ':pk': 'row', ':unused': 1 } })),
  ],
  [
    'a value that a part of a transaction does not use',
    VALIDATION,
    () => transact({ TransactItems: [{ ConditionCheck: on({ Key: Unseen, ...UNUSED }) }] }),
  ],
  ['an empty key of an item', VALIDATION, () => put({ Item: { pk: 'row', sk: '' } })],
  ['an empty key of a reading', VALIDATION, () => new GetCommand(on({ Key: { pk: 'row', sk: '' } }))],
  [
    'an empty key in a transaction',
    VALIDATION,
    () => transact({ TransactItems: [{ Put: on({ Item: Key }) }, { Delete: on({ Key: { pk: '', sk: 'row' } }) }] }),
  ],
  ['a range that ends before it begins', VALIDATION, () => between('b', 'a')],
  ['a range of one key', 'taken', () => between('a', 'a')],
  [
    'two changes of one attribute',
    VALIDATION,
    () => update('SET more = :m REMOVE more', { ExpressionAttributeValues: { ':m': 1 } }),
  ],
])('%s: %s', async (_, expected, command) => {
  const simulated = new SimulatedTable();
  const judge = async (send: (command: never) => unknown): Promise<string> => {
    try {
      await send(command() as never);
      return 'taken';
    } catch (error) {
      const { name, CancellationReasons: reasons } = error as Error & { CancellationReasons?: { Code?: string }[] };
      // A transaction may say it of its part.
      return reasons?.some(({ Code }) => Code === 'ValidationError') ? VALIDATION : name;
    }
  };
  expect({
    simulated: await judge((each) => simulated.send(each)),
    real: await judge((each) => client.send(each)),
  }).toEqual({ simulated: expected, real: expected });
  // What is refused leaves nothing.
  if (expected !== 'taken') expect([...simulated.items()]).toEqual([]);
});
