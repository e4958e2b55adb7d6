/** Compares the settings of a restored table with the settings that the stage deploys. */
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  type GlobalSecondaryIndexDescription,
  ResourceNotFoundException,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import { TTL_ATTRIBUTE } from '#infra/names.ts';
import { DUE_INDEX } from '#shared/table/due-keys.ts';

/** Resolves with the table's description; undefined when no table has this name. */
export const describeTable = async (client: DynamoDBClient, name: string): Promise<TableDescription | undefined> => {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: name }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
};

const indexFault = (index: GlobalSecondaryIndexDescription | undefined): string | undefined => {
  if (index === undefined) return `the index ${DUE_INDEX} is missing: the sweeper would find nothing`;
  const keys = index.KeySchema?.map(({ AttributeName }) => AttributeName).join();
  if (keys !== 'due_pk,due_sk') return `the index ${DUE_INDEX} has the keys ${keys}, not due_pk,due_sk`;
  return index.IndexStatus === 'ACTIVE' ? undefined : `the index ${DUE_INDEX} is ${index.IndexStatus}, not ACTIVE`;
};

const ttlFault = async (client: DynamoDBClient, name: string): Promise<string | undefined> => {
  const { TimeToLiveDescription: ttl } = await client.send(new DescribeTimeToLiveCommand({ TableName: name }));
  if (ttl?.TimeToLiveStatus !== 'ENABLED' && ttl?.TimeToLiveStatus !== 'ENABLING')
    return `TTL is not enabled: ${TTL_ATTRIBUTE} must be its attribute`;
  if (ttl.AttributeName === TTL_ATTRIBUTE) return undefined;
  return `TTL is of the attribute ${ttl.AttributeName}, not of ${TTL_ATTRIBUTE}`;
};

const recoveryFault = async (client: DynamoDBClient, name: string): Promise<string | undefined> => {
  const { ContinuousBackupsDescription: backups } = await client.send(
    new DescribeContinuousBackupsCommand({ TableName: name }),
  );
  const status = backups?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus;
  return status === 'ENABLED' ? undefined : 'point-in-time recovery is off';
};

/**
 * Resolves with one line for each wrong setting. If the stage retains data, the table must have point-in-time recovery
 * and deletion protection.
 */
export const settingFaults = async (
  client: DynamoDBClient,
  name: string,
  table: TableDescription,
  { retainsData }: { retainsData: boolean },
): Promise<string[]> => {
  const index = table.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === DUE_INDEX);
  const found = [
    table.TableStatus === 'ACTIVE' ? undefined : `the table is ${table.TableStatus}, not ACTIVE`,
    indexFault(index),
    await ttlFault(client, name),
    retainsData ? await recoveryFault(client, name) : undefined,
    retainsData && table.DeletionProtectionEnabled !== true ? 'deletion protection is off' : undefined,
  ];
  return found.filter((fault) => fault !== undefined);
};
