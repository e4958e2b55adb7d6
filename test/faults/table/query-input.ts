/** The part of a query's input that the simulated table supports. */
export interface QueryInput extends Projection {
  IndexName?: string | undefined;
  KeyConditionExpression: string;
  ExpressionAttributeValues: Record<string, string>;
  ScanIndexForward?: boolean | undefined;
  Limit?: number | undefined;
  ExclusiveStartKey?: TableKey | undefined;
}

export interface TableKey {
  pk: string;
  sk: string;
  /** In the start of a page of the index. */
  due_sk?: string;
}

export interface Projection {
  ProjectionExpression?: string | undefined;
  ExpressionAttributeNames?: Record<string, string> | undefined;
}
