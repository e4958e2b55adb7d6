/** Transactions that are sent again, at a table that remembers their tokens. */
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Key } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { startTable, type TestTable } from '#test/helpers/dynamo.ts';

let dynamo: TestTable;
beforeAll(async () => {
  dynamo = await startTable();
});
afterAll(() => dynamo.stop());
afterEach(() => vi.restoreAllMocks());

const BUSY = Object.assign(new Error('busy'), { name: 'ThrottlingException' });

/** Makes the first call fail as too many. @param hasEffect true if only its answer was lost */
const failOnce = (hasEffect: boolean): void => {
  const { send } = DynamoDBDocumentClient.prototype as unknown as { send(...all: unknown[]): Promise<unknown> };
  let calls = 0;
  vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(async function (
    this: never,
    ...given: unknown[]
  ) {
    if (++calls > 1) return send.apply(this, given);
    if (hasEffect) await send.apply(this, given);
    throw BUSY;
  });
};

const create = (key: Key) => table.transact([{ put: { ...key, n: 1 }, if: 'attribute_not_exists(pk)' }]);

test.each([true, false])('a transaction is not refused by its own effect: the first had one: %s', async (hasEffect) => {
  const key = { pk: 'repeated', sk: String(hasEffect) };
  failOnce(hasEffect);
  await create(key);
  expect(await table.get(key)).toMatchObject({ n: 1 });
  await expect(create(key)).rejects.toThrow();
});
