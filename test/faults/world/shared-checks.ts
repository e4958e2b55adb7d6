/**
 * Tasks that share an invocation (docs/adr/0037): a death in company costs no attempt, and its task shares no invocation
 * afterwards. Checked at every write of a task.
 */
import type { SimulatedTable } from '../table/simulated-table.ts';
import type { Item } from '../table/values.ts';
import type { Violation } from './world.ts';

const isTask = ({ sk }: Item): boolean => sk.startsWith('WORK#');

const judge = (before: Item, after: Item): string | null => {
  // A task that begins to wait also moves, and keeps its state.
  const isTaken = after.state === 'working' && after.hop !== before.hop && after.waits_for === null;
  if (!isTaken) return null;
  const diedShared = before.state === 'working' && before.is_shared === true;
  if (diedShared && after.tries !== before.tries) return 'a death in a shared invocation cost an attempt';
  if (after.is_shared === true && (diedShared || before.runs_alone === true)) return 'shares an invocation again';
  return null;
};

/** Adds to `violations` while the history runs. */
export const watchShared = ({ table }: { table: SimulatedTable }, violations: Violation[]): void => {
  const { onStored } = table;
  table.onStored = (before, after) => {
    onStored?.(before, after);
    const fault = before && after && isTask(after) ? judge(before, after) : null;
    if (fault !== null) violations.push(`${after!.sk}: ${fault}`);
  };
};
