import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';

/** Everything stored, as text; bytes as they are and as base64. For canaries that must never be there in clear text. */
export const tableText = async (): Promise<string> => {
  const client = new DynamoDBClient();
  const parts: string[] = [];
  const show = (_: string, value: unknown): unknown => {
    if (!(value instanceof Uint8Array)) return value;
    return `${Buffer.from(value).toString('latin1')} ${Buffer.from(value).toString('base64')}`;
  };
  let start: Record<string, never> | undefined;
  do {
    const page = await client.send(new ScanCommand({ TableName: process.env.TABLE_NAME, ExclusiveStartKey: start }));
    parts.push(JSON.stringify(page.Items, show));
    start = page.LastEvaluatedKey as typeof start;
  } while (start);
  client.destroy();
  return parts.join('\n');
};
