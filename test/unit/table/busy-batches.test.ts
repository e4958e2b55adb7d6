/** Batches and transactions that the table refuses, or processes in part: they are sent again until they are complete. */
import {
  BatchGetCommand,
  BatchWriteCommand,
  DynamoDBDocumentClient,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { ServiceBusy, waitAtMost, withPatience } from '#shared/platform/patience.ts';
import { batchGet, batchWrite, transact } from '#shared/table/table.ts';
import { mockAwsClient } from '#test/fakes/aws-client.ts';

const table = mockAwsClient(DynamoDBDocumentClient);
afterAll(() => table.restore());
beforeEach(() => {
  table.reset();
  vi.stubEnv('TABLE_NAME', 'table');
  vi.stubEnv('AWS_REGION', 'us-east-1');
});

const KEYS = [1, 2, 3].map((n) => ({ pk: 'p', sk: String(n) }));
const REFUSED = Object.assign(new Error('busy'), { name: 'ProvisionedThroughputExceededException' });

test('keys that were not processed are read again', async () => {
  table
    .on(BatchGetCommand)
    .rejectsOnce(REFUSED)
    .resolvesOnce({ Responses: { table: [KEYS[0]!] }, UnprocessedKeys: { table: { Keys: KEYS.slice(1) } } })
    .resolvesOnce({ Responses: { table: KEYS.slice(1) } });
  expect(await batchGet(KEYS)).toEqual(KEYS);
  expect(table.commandCalls(BatchGetCommand)[2]!.args[0].input.RequestItems?.table?.Keys).toEqual(KEYS.slice(1));
});

test('writes that were not processed are sent again, and only these', async () => {
  const left = KEYS.slice(2).map((Item) => ({ PutRequest: { Item } }));
  table
    .on(BatchWriteCommand)
    .rejectsOnce(REFUSED)
    .resolvesOnce({ UnprocessedItems: { table: left } })
    .resolvesOnce({});
  await batchWrite({ puts: KEYS });
  expect(table.commandCalls(BatchWriteCommand)[2]!.args[0].input.RequestItems?.table).toEqual(left);
});

test('a batch that is never complete ends with the patience, as a busy service', async () => {
  table.on(BatchWriteCommand).resolves({ UnprocessedItems: { table: [{ PutRequest: { Item: KEYS[0]! } }] } });
  const writing = withPatience(waitAtMost(100), () => batchWrite({ puts: KEYS }));
  await expect(writing).rejects.toThrow(ServiceBusy);
});

test('a check that fails ends the batch at once', async () => {
  table.on(BatchWriteCommand).resolves({ UnprocessedItems: { table: [{ PutRequest: { Item: KEYS[0]! } }] } });
  let calls = 0;
  const check = () => {
    if (++calls > 2) throw new Error('the lease is over');
  };
  await expect(batchWrite({ puts: KEYS }, check)).rejects.toThrow('the lease is over');
  expect(table.commandCalls(BatchWriteCommand)).toHaveLength(2);
});

test('a transaction is sent again with its token, and another transaction has another', async () => {
  table.on(TransactWriteCommand).rejectsOnce(REFUSED).resolves({});
  await transact([{ put: KEYS[0]! }]);
  await transact([{ put: KEYS[0]! }]);
  const tokens = table.commandCalls(TransactWriteCommand).map(({ args }) => args[0].input.ClientRequestToken);
  const [first, , other] = tokens;
  expect(tokens).toEqual([expect.any(String), first, expect.any(String)]);
  expect(other).not.toBe(first);
});
