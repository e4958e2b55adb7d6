/** What the institution counts of logins after every history. */
import { LIMITS } from '#shared/platform/limits.ts';
import { santiagoDay } from '#shared/values/dates.ts';
import type { Check, Violation } from './world.ts';

/** A rejected password is sent once; sessions are left again. */
export const loginsAreFew: Check = (world, all) => {
  const faults: Violation[] = [];
  const { institution, machine } = world;
  // With a deleted connection its runs are gone.
  if (
    world.hasWrongPassword &&
    !world.isDeleted &&
    institution.logins - institution.unclear.length > all.length + (machine.faultsOf.get('sync-scope') ?? 0)
  )
    faults.push(`${institution.logins} logins with a wrong password in ${all.length} runs`);
  // A worker that dies between the login and the keeping of its session leaves one that nobody knows.
  if (!machine.faultsOf.has('sync-scope') && institution.sessions.size > 0)
    faults.push(`${institution.sessions.size} sessions left open`);
  return faults;
};

const most = (keys: readonly unknown[]): number =>
  Math.max(0, ...keys.map((key) => keys.filter((other) => other === key).length));

/** decisions.md §5, "Logins": what an account may survive, as its institution counts. */
export const unclearLoginsAreCapped: Check = ({ institution: { unclear } }) => {
  const days = unclear.filter(({ isUnjudged, isUnproven }) => isUnproven && !isUnjudged);
  const [ofRun, ofDay] = [most(unclear.map(({ run }) => run)), most(days.map(({ atMs }) => santiagoDay(atMs)))];
  return [
    ...(ofRun > LIMITS.unclearLoginsMax ? [`${ofRun} unclear logins in a run`] : []),
    ...(ofDay > LIMITS.unclearLoginsMax ? [`${ofDay} unclear logins a day with a password never accepted`] : []),
  ];
};
