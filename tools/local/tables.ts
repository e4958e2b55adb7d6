/** Creates the template's tables that do not exist yet. An existing table is never changed, because it has data. */
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import type { TableModel } from './model.ts';

const CREATE_WAIT_SECONDS = 30;

const describe = async (client: DynamoDBClient, name: string): Promise<TableDescription | undefined> => {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: name }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
};

const shapeOf = (keys: { AttributeName?: string | undefined; KeyType?: string | undefined }[] = []): string =>
  keys.map(({ AttributeName, KeyType }) => `${KeyType}:${AttributeName}`).join();

const refuseOtherShape = (table: TableModel, existing: TableDescription): void => {
  const same =
    shapeOf(existing.KeySchema) === shapeOf(table.KeySchema) &&
    table.GlobalSecondaryIndexes.every((index) => {
      const found = existing.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === index.IndexName);
      return found !== undefined && shapeOf(found.KeySchema) === shapeOf(index.KeySchema);
    });
  if (!same)
    throw new Error(
      `table ${table.name} was made by another version of the template: move the data folder away and start again`,
    );
};

const create = async (
  client: DynamoDBClient,
  { name, TimeToLiveSpecification, ...table }: TableModel,
): Promise<void> => {
  await client.send(new CreateTableCommand({ TableName: name, ...table }));
  await waitUntilTableExists({ client, maxWaitTime: CREATE_WAIT_SECONDS, minDelay: 1 }, { TableName: name });
  await client.send(new UpdateTimeToLiveCommand({ TableName: name, TimeToLiveSpecification }));
};

/** Throws when a table with the template's name has other keys or lacks an index. */
export const createMissingTables = async (
  tables: readonly TableModel[],
  connection: { endpoint: string; region: string; credentials: { accessKeyId: string; secretAccessKey: string } },
): Promise<void> => {
  const client = new DynamoDBClient(connection);
  try {
    for (const table of tables) {
      const existing = await describe(client, table.name);
      if (existing) refuseOtherShape(table, existing);
      else await create(client, table);
    }
  } finally {
    client.destroy();
  }
};
