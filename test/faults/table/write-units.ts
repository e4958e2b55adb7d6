/**
 * Write units as AWS documents them: 1 KB of the larger of the item before and after, rounded up; double in a
 * transaction, checks included; one unit to add an entry to the index and one to remove it. A refused condition also
 * costs units. `test/integration/faults/write-units.test.ts` compares the count with dynoxide's, command by command.
 */
import {
  BatchWriteCommand,
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { itemBytes } from './item-size.ts';
import type { TableKey } from './query-input.ts';
import type { SimulatedTable } from './simulated-table.ts';
import type { Item } from './values.ts';

const UNIT_BYTES = 1024;
const IN_TRANSACTION = 2;

const unitsOf = (item: Item | undefined): number =>
  Math.max(1, Math.ceil((item === undefined ? 0 : itemBytes(item)) / UNIT_BYTES));

const entryOf = ({ due_pk, due_sk }: Partial<Item> = {}): string | null =>
  due_pk === undefined || due_sk === undefined ? null : `${due_pk} ${due_sk}`;

const indexUnits = (before: Item | undefined, after: Item | undefined): number => {
  const [was, is] = [entryOf(before), entryOf(after)];
  if (was === is) return 0;
  return (was === null ? 0 : 1) + (is === null ? 0 : 1);
};

export interface CountedWrite {
  key: TableKey;
  /** For example `Update` or `TransactWrite Check`. */
  call: string;
  /** Size of the larger of the item before and after. */
  bytes: number;
  /** Units of the table and of its index. */
  units: number;
  indexUnits: number;
  isRefused: boolean;
}

type TransactPart = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

interface Touched {
  key: TableKey;
  verb: string;
}

const keyOf = ({ pk, sk }: TableKey): TableKey => ({ pk, sk });

const partOf = ({ Put, Update, Delete, ConditionCheck }: TransactPart): Touched => {
  if (Put) return { key: keyOf(Put.Item as Item), verb: 'Put' };
  if (Update) return { key: keyOf(Update.Key as TableKey), verb: 'Update' };
  if (Delete) return { key: keyOf(Delete.Key as TableKey), verb: 'Delete' };
  return { key: keyOf(ConditionCheck!.Key as TableKey), verb: 'Check' };
};

/** Keys that a command writes; empty for a read. */
const touchedBy = (command: unknown): { touched: Touched[]; times: number } => {
  const once = (key: unknown, verb: string) => ({ touched: [{ key: keyOf(key as TableKey), verb }], times: 1 });
  if (command instanceof PutCommand) return once(command.input.Item, 'Put');
  if (command instanceof UpdateCommand) return once(command.input.Key, 'Update');
  if (command instanceof DeleteCommand) return once(command.input.Key, 'Delete');
  if (command instanceof BatchWriteCommand) {
    const requests = Object.values(command.input.RequestItems ?? {}).flat();
    const touched = requests.map(({ PutRequest, DeleteRequest }) => ({
      key: keyOf((PutRequest?.Item ?? DeleteRequest?.Key) as TableKey),
      verb: PutRequest ? 'BatchWrite Put' : 'BatchWrite Delete',
    }));
    return { touched, times: 1 };
  }
  if (!(command instanceof TransactWriteCommand)) return { touched: [], times: 1 };
  const parts = (command.input.TransactItems ?? []).map(partOf);
  return { touched: parts.map(({ key, verb }) => ({ key, verb: `TransactWrite ${verb}` })), times: IN_TRANSACTION };
};

/** Reports every write of the table from now on. */
export const countWrites = (table: SimulatedTable, tell: (write: CountedWrite) => void): void => {
  const send = table.send.bind(table);
  table.send = (command) => {
    const { touched, times } = touchedBy(command);
    const before = touched.map(({ key }) => table.find(key));
    const count = (isRefused: boolean): void => {
      for (const [n, { key, verb }] of touched.entries()) {
        const after = isRefused ? before[n] : table.find(key);
        tell({
          key,
          call: verb,
          bytes: Math.max(...[before[n], after].map((item) => (item === undefined ? 0 : itemBytes(item)))),
          units: times * Math.max(unitsOf(before[n]), unitsOf(after)),
          indexUnits: indexUnits(before[n], after),
          isRefused,
        });
      }
    };
    try {
      const answer = send(command);
      count(false);
      return answer;
    } catch (error) {
      count(true);
      throw error;
    }
  };
};
