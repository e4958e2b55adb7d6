/**
 * The table calls of a piece of work: calls, units as the table reports them, items read, and the longest chain of
 * calls.
 */
import { documentClient } from '#shared/platform/aws.ts';

export interface TableCalls {
  calls: number;
  /** The longest chain of calls in which each began after another had ended. */
  inTurn: number;
  readUnits: number;
  writeUnits: number;
  /** Items that queries read, before any filter. */
  scanned: number;
  /** Each read call, in the order of their ends: shows where the units go. */
  reads: TableRead[];
}

export interface TableRead {
  /** `BatchGet CONN SUMMARY`, `Query ROWS`: the requested kinds of items. */
  what: string;
  place: number;
  units: number;
  items: number;
}

interface Told {
  ConsumedCapacity?: { CapacityUnits?: number } | { CapacityUnits?: number }[];
  ScannedCount?: number;
  Item?: object;
  Responses?: Record<string, object[]>;
}

interface Asked {
  Key?: { sk: string };
  ExpressionAttributeValues?: Record<string, unknown>;
  RequestItems?: Record<string, { Keys?: { sk: string }[] }>;
}

const kindOf = (key: string): string => key.split('#')[0]!;

/** Kinds of the requested items, without ids. */
const kindsOf = ({ Key, ExpressionAttributeValues: values, RequestItems }: Asked): string => {
  const keys = Object.values(RequestItems ?? {}).flatMap(({ Keys = [] }) => Keys.map(({ sk }) => kindOf(sk)));
  const partition = values?.[':pk'];
  return [
    ...(Key ? [kindOf(Key.sk)] : []),
    ...keys,
    ...(typeof partition === 'string' ? [kindOf(partition.split('#').slice(2).join('#'))] : []),
  ].join(' ');
};

const READ = /Get|Query/;
const NAME = 'table-calls';

/**
 * An addition of counted reads is due by the clock, not by the measured work. `read-count-units.test.ts` counts the
 * units of additions.
 */
const isAddition = ({ Key }: Asked): boolean => Key?.sk.startsWith('READS#') === true;

/**
 * Measures one piece of work at a time per process. Counts only calls of `documentClient()`, and a call with its
 * retries once.
 */
export const tableCallsOf = async (work: () => Promise<unknown>): Promise<TableCalls> => {
  const counted: TableCalls = { calls: 0, inTurn: 0, readUnits: 0, writeUnits: 0, scanned: 0, reads: [] };
  const stack = documentClient().middlewareStack;
  stack.add(
    (next, { commandName = '' }) =>
      async (given) => {
        if (isAddition(given.input as Asked)) return next(given);
        const place = counted.inTurn + 1;
        counted.calls++;
        const input = { ...(given.input as object), ReturnConsumedCapacity: 'TOTAL' };
        const answer = await next({ ...given, input } as typeof given);
        const { ConsumedCapacity: told, ScannedCount = 0 } = answer.output as Told;
        if (told === undefined) throw new Error(`${commandName} tells no capacity`);
        const units = [told].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
        counted[READ.test(commandName) ? 'readUnits' : 'writeUnits'] += units;
        counted.scanned += ScannedCount;
        if (READ.test(commandName)) {
          const { Item, Responses } = answer.output as Told;
          const items = ScannedCount + (Item ? 1 : 0) + Object.values(Responses ?? {}).flat().length;
          const what = `${commandName.replace('Command', '')} ${kindsOf(given.input as Asked)}`;
          counted.reads.push({ what, place, units, items });
        }
        // Calls that were under way together have the same position.
        counted.inTurn = Math.max(counted.inTurn, place);
        return answer;
      },
    { step: 'initialize', name: NAME },
  );
  try {
    await work();
  } finally {
    stack.remove(NAME);
  }
  return counted;
};
