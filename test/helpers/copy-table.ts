/** Copies a table under another name, in the state that a restore leaves: keys, items and indexes, and no TTL. */
import {
  type AttributeValue,
  BatchWriteItemCommand,
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  paginateScan,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { TTL_ATTRIBUTE } from '#infra/names.ts';

const BATCH_MAX = 25;

const createLike = async (client: DynamoDBClient, from: string, to: string, hasIndex: boolean): Promise<void> => {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: from }));
  const { KeySchema, AttributeDefinitions = [], GlobalSecondaryIndexes = [] } = Table!;
  const indexes = GlobalSecondaryIndexes.map(({ IndexName, KeySchema: keys, Projection }) => ({
    IndexName: IndexName!,
    KeySchema: keys!,
    Projection: Projection!,
  }));
  await client.send(
    new CreateTableCommand({
      TableName: to,
      KeySchema: KeySchema!,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: hasIndex
        ? AttributeDefinitions
        : AttributeDefinitions.filter(({ AttributeName }) =>
            KeySchema!.some((key) => key.AttributeName === AttributeName),
          ),
      ...(hasIndex ? { GlobalSecondaryIndexes: indexes } : {}),
    }),
  );
};

const writeAll = async (client: DynamoDBClient, to: string, items: Record<string, AttributeValue>[]): Promise<void> => {
  let left = items.map((Item) => ({ PutRequest: { Item } }));
  while (left.length > 0) {
    const sent = left.slice(0, BATCH_MAX);
    const { UnprocessedItems = {} } = await client.send(new BatchWriteItemCommand({ RequestItems: { [to]: sent } }));
    left = [...((UnprocessedItems[to] ?? []) as typeof left), ...left.slice(BATCH_MAX)];
  }
};

/** The copy must not exist yet. Resolves with the number of items. */
export const copyTable = async (
  client: DynamoDBClient,
  from: string,
  to: string,
  { hasIndex = true, hasItems = true }: { hasIndex?: boolean; hasItems?: boolean } = {},
): Promise<number> => {
  await createLike(client, from, to, hasIndex);
  if (!hasItems) return 0;
  let count = 0;
  for await (const { Items = [] } of paginateScan({ client }, { TableName: from, ConsistentRead: true })) {
    await writeAll(client, to, Items);
    count += Items.length;
  }
  return count;
};

export const enableTtl = async (client: DynamoDBClient, table: string, attribute = TTL_ATTRIBUTE): Promise<void> => {
  const TimeToLiveSpecification = { AttributeName: attribute, Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName: table, TimeToLiveSpecification }));
};
