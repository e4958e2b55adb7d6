/** Items written to the table, by kind: the cost of a sync, independent of the machine. */
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

export interface CountedWrites {
  /** Rows as listed, put or removed. */
  listed: number;
  /** Documents: rows in full, and blocks of their child rows. */
  full: number;
  /** Summary, period and search index. */
  index: number;
  other: number;
}

interface Written {
  pk: string;
}
/** The relevant part of the document client's commands. */
interface Request {
  RequestItems?: Record<string, { PutRequest?: { Item: Written }; DeleteRequest?: { Key: Written } }[]>;
  TransactItems?: Record<'Put' | 'Update' | 'Delete', { Item?: Written; Key?: Written } | undefined>[];
  Item?: Written;
  Key?: Written;
}

const KINDS: Record<string, keyof CountedWrites> = { ROWS: 'listed', ROW: 'full', INDEX: 'index' };

const writtenBy = (name: string, input: Request): (Written | undefined)[] => {
  if (name === 'BatchWriteCommand')
    return Object.values(input.RequestItems ?? {}).flatMap((requests) =>
      requests.map(({ PutRequest, DeleteRequest }) => PutRequest?.Item ?? DeleteRequest?.Key),
    );
  if (name === 'TransactWriteCommand')
    return (input.TransactItems ?? []).map(({ Put, Update, Delete }) => {
      const write = Put ?? Update ?? Delete;
      return write?.Item ?? write?.Key;
    });
  return ['PutCommand', 'UpdateCommand', 'DeleteCommand'].includes(name) ? [input.Item ?? input.Key] : [];
};

/** The items that `work` writes, together with its result. One call at a time per process. */
export const countWrites = async <T>(work: () => Promise<T>): Promise<{ writes: CountedWrites; result: T }> => {
  const writes: CountedWrites = { listed: 0, full: 0, index: 0, other: 0 };
  const { send } = DynamoDBDocumentClient.prototype;
  const counting = function (this: DynamoDBDocumentClient, ...args: [{ input: Request }]): unknown {
    const [command] = args;
    for (const written of writtenBy(command.constructor.name, command.input)) {
      if (written === undefined) continue;
      writes[KINDS[written.pk.split('#')[2] ?? ''] ?? 'other']++;
    }
    return (send as (...given: unknown[]) => unknown).apply(this, args);
  };
  Object.assign(DynamoDBDocumentClient.prototype, { send: counting });
  try {
    return { result: await work(), writes };
  } finally {
    Object.assign(DynamoDBDocumentClient.prototype, { send });
  }
};
