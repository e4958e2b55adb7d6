/** Checks whether the table reports its capacity units as AWS counts them, with requests whose units AWS documents. */
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { documentClient } from '#shared/platform/aws.ts';
import { tableCallsOf } from './table-calls.ts';

/**
 * 1 KB per write, 4 KB per consistent read, rounded up; a query rounds its sum, a batch each item; double in
 * transactions.
 */
const known = (TableName: string): [what: string, command: object, right: number][] => {
  const item = (sk: string, bytes: number) => ({ pk: 'CAPACITY', sk, filler: 'x'.repeat(bytes) });
  const Key = { pk: 'CAPACITY', sk: 'a' };
  const put = (Item: object) => new PutCommand({ TableName, Item });
  const small = ['d1', 'd2'].map((sk) => ({ PutRequest: { Item: item(sk, 500) } }));
  const smallKeys = ['d1', 'd2'].map((sk) => ({ pk: 'CAPACITY', sk }));
  const query = {
    TableName,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': 'CAPACITY' },
    ConsistentRead: true,
  };
  const update = {
    TableName,
    Key,
    UpdateExpression: 'SET #n = :n',
    ExpressionAttributeNames: { '#n': 'n' },
    ExpressionAttributeValues: { ':n': 1 },
  };
  return [
    ['put of 2.4 KB', put(item('a', 2_400)), 3],
    ['put of 2.4 KB over itself', put(item('a', 2_400)), 3],
    ['update of one number in 2.4 KB', new UpdateCommand(update), 3],
    [
      'put of 2.4 KB in a transaction',
      new TransactWriteCommand({ TransactItems: [{ Put: { TableName, Item: item('b', 2_400) } }] }),
      6,
    ],
    ['put with an entry in the index', put({ ...item('c', 10), due_pk: 'p', due_sk: 's' }), 2],
    ['batch of two puts of 0.5 KB', new BatchWriteCommand({ RequestItems: { [TableName]: small } }), 2],
    ['consistent get of 2.4 KB', new GetCommand({ TableName, Key, ConsistentRead: true }), 1],
    ['eventually consistent get of 2.4 KB', new GetCommand({ TableName, Key }), 0.5],
    ['get of nothing', new GetCommand({ TableName, Key: { pk: 'CAPACITY', sk: 'none' }, ConsistentRead: true }), 1],
    [
      'batch of two gets of 0.5 KB',
      new BatchGetCommand({ RequestItems: { [TableName]: { Keys: smallKeys, ConsistentRead: true } } }),
      2,
    ],
    ['query of 5 items, 5.9 KB in all', new QueryCommand(query), 2],
    ['the same, one attribute', new QueryCommand({ ...query, ProjectionExpression: 'sk' }), 2],
    ['the same, one item', new QueryCommand({ ...query, Limit: 1 }), 1],
    ['query of nothing', new QueryCommand({ ...query, ExpressionAttributeValues: { ':pk': 'none' } }), 1],
    ['delete of 2.4 KB', new DeleteCommand({ TableName, Key: { pk: 'CAPACITY', sk: 'b' } }), 3],
  ];
};

export interface Judged {
  what: string;
  told: number;
  aws: number;
}

export const judgeCapacity = async (tableName: string): Promise<Judged[]> => {
  const judged: Judged[] = [];
  for (const [what, command, aws] of known(tableName)) {
    const { readUnits, writeUnits } = await tableCallsOf(() => documentClient().send(command as GetCommand));
    judged.push({ what, told: readUnits + writeUnits, aws });
  }
  return judged;
};

/** `units 15 of 15 as AWS counts them`, or the wrong ones. */
export const tellCapacity = (judged: readonly Judged[]): string => {
  const wrong = judged.filter(({ told, aws }) => told !== aws);
  const list = wrong.map(({ what, told, aws }) => `\n  ${what}: ${told}, AWS ${aws}`).join('');
  return `the table counts ${judged.length - wrong.length} of ${judged.length} requests as AWS does${list}`;
};
