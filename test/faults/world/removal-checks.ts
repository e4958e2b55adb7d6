/** What runs report of the rows that they removed, also when they were cancelled. */
import { isTerminal, type OutcomeNotice, type ScopeOutcome, type SyncRun } from '#shared/sync/run.rules.ts';
import type { PeriodDone } from '#shared/sync/task/period-done.rules.ts';
import { taskItem } from '#shared/sync/task/task.store.ts';
import { keys } from '#shared/table/keys.ts';
import type { Check, Violation, World } from './world.ts';

const TOMBSTONE = 'GONE#';
const OF_REMOVED_ROWS = '.rows_replaced';

/** `scope|period` → number of tombstones of a run. */
export const removedSoFar = ({ table, organizationId, connection, scopes }: World, runId: string) => {
  const names = new Map(
    scopes.map(({ name }) => [keys.index({ organizationId, connectionId: connection.id, scope: name }), name]),
  );
  const counts = new Map<string, number>();
  for (const { pk, sk, run, period } of table.items()) {
    const scope = names.get(pk);
    if (scope === undefined || run !== runId || !sk.startsWith(TOMBSTONE)) continue;
    counts.set(`${scope}|${period}`, (counts.get(`${scope}|${period}`) ?? 0) + 1);
  }
  return counts;
};

const ofScope = (counts: ReadonlyMap<string, number>, scope: string): Map<string, number> =>
  new Map([...counts].flatMap(([key, count]) => (key.startsWith(`${scope}|`) ? [[key.split('|')[1]!, count]] : [])));

const toldBy = ({ notices }: ScopeOutcome): string[] =>
  notices.filter(({ code }) => code.endsWith(OF_REMOVED_ROWS)).map(({ message }) => message);

const taskOf = ({ table, organizationId, connection }: World, run: SyncRun, scope: string) => {
  const found = table.find(keys.task(organizationId, connection.id, run.id, scope));
  return found && taskItem.fromItem(found);
};

const wasWritten = ({ errorCode, isIncomplete }: PeriodDone): boolean => errorCode === null || isIncomplete === true;

/** Each month is reported once with its count, and no other month is. */
const isExact = (told: readonly string[], counts: ReadonlyMap<string, number>): boolean =>
  told.length === counts.size &&
  [...counts].every(
    ([period, count]) => told.filter((message) => message.startsWith(`${period}: ${count} `)).length === 1,
  );

/**
 * A finished month is reported with its full count. A month under way is reported with at least as many rows as were
 * removed when the cancel was called, and at most as many as were removed in the end.
 */
const isToldByCancel = (
  told: readonly string[],
  counts: ReadonlyMap<string, number>,
  { before, done }: { before: ReadonlyMap<string, number>; done: ReadonlySet<string | null> },
): boolean => {
  const said = new Map(told.map((message) => [message.slice(0, message.indexOf(':')), Number(message.split(' ')[1])]));
  const months = new Set([...said.keys(), ...counts.keys()]);
  return (
    said.size === told.length &&
    [...months].every((period) => {
      const [count, all] = [said.get(period) ?? 0, counts.get(period) ?? 0];
      return count <= all && count >= (done.has(period) ? all : (before.get(period) ?? 0));
    })
  );
};

/** The removals that a run reports equal its tombstones, and its notices give the same count. */
export const removalsAreTold: Check = (world, all) => {
  if (world.isDeleted) return [];
  const faults: Violation[] = [];
  for (const run of all.filter(({ connectionId }) => connectionId === world.connection.id)) {
    const removed = removedSoFar(world, run.id);
    for (const { name: scope } of world.scopes) {
      const outcome = run.outcomes[scope];
      if (!outcome) continue;
      const [told, counts, task] = [toldBy(outcome), ofScope(removed, scope), taskOf(world, run, scope)];
      const written = (task?.done ?? []).filter(wasWritten);
      const before = ofScope(world.removedByCancel.get(run.id) ?? new Map(), scope);
      const done = new Set(written.map(({ period }) => period));
      const isTold =
        outcome.status === 'cancelled' ? isToldByCancel(told, counts, { before, done }) : isExact(told, counts);
      if (!isTold)
        faults.push(
          `${scope} of run ${run.id} removed ${JSON.stringify([...counts])} and says ${JSON.stringify(told)}`,
        );
      for (const { period, removed: count = 0 } of written)
        if (count !== (counts.get(period!) ?? 0))
          faults.push(`${scope} ${period} of run ${run.id}: ${count} removed, ${counts.get(period!) ?? 0} tombstones`);
    }
  }
  return faults;
};

/** The outcome of a cancelled scope equals that of its task, which no worker changes any more. */
export const cancelsTellTheirTasks: Check = (world, all) => {
  const faults: Violation[] = [];
  for (const run of all.filter((each) => isTerminal(each) && each.connectionId === world.connection.id))
    for (const outcome of Object.values(run.outcomes)) {
      const task = taskOf(world, run, outcome.scope);
      if (outcome.status !== 'cancelled' || !task) continue;
      const says = new Set(outcome.notices.map(({ code, message }) => `${code} ${message}`));
      const isLost = ({ code, message }: OutcomeNotice) =>
        !(code.endsWith(OF_REMOVED_ROWS) || says.has(`${code} ${message}`));
      const lost = task.notices.filter(isLost);
      const found = task.done.reduce((sum, period) => sum + period.found, task.tenders?.found ?? 0);
      const months = task.done.filter(wasWritten).flatMap(({ period }) => period ?? []);
      if (lost.length > 0)
        faults.push(`${outcome.scope} of run ${run.id} was cancelled without ${JSON.stringify(lost)}`);
      if ((outcome.recordsFound ?? 0) !== found || outcome.periods.join() !== months.sort().join())
        faults.push(`${outcome.scope} of run ${run.id} was cancelled with other counts than its task`);
    }
  return faults;
};
