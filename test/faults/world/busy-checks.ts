/** What must hold after histories in which services of AWS were busy. */
import { BORNE } from '../machine/faults.ts';
import type { Check } from './world.ts';

/** A longer outage may outlast the due entry of a task, and the sweeper then takes the task like that of a dead worker. */
const OUTAGE_MS_MAX = 52_000;

/** A long outage after a login costs the login, and no run logs in more than twice. */
const isOutOfLogins = (message: string | null, busyMs: number): boolean =>
  busyMs > OUTAGE_MS_MAX && message?.includes('Not tried again: two logins in this run.') === true;

/** A busy service costs no attempt of a scope, and no scope ends with an internal error because of it. */
export const busyCostsNothing: Check = ({ machine, table, isDeleted }, all) => {
  if (isDeleted || machine.mishaps > 0 || machine.wasHit(['sync-scope'], [...BORNE, 'outage'])) return [];
  const failed = all.flatMap(({ id, outcomes }) =>
    Object.entries(outcomes).flatMap(([scope, outcome]) =>
      outcome?.errorCode === 'sync.internal_error' && !isOutOfLogins(outcome.errorMessage, machine.busy.totalMs)
        ? [`run ${id}: ${scope} failed, but AWS was only busy`]
        : [],
    ),
  );
  if (machine.busy.totalMs > OUTAGE_MS_MAX) return failed;
  const tried = [...table.items()].filter(({ sk, tries }) => sk.startsWith('WORK#') && Number(tries) > 1);
  return [...failed, ...tried.map(({ sk, tries }) => `${sk}: ${tries} attempts, but AWS was only busy`)];
};
