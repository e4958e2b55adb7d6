/** Checks of the institution's login counts after every history. */
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { santiagoDay } from '#shared/values/dates.ts';
import { PACE } from './pace-themes.ts';
import type { Check, Violation, World } from './world.ts';

/** Customers of links have logins of their own, and the institution counts those of all together. */
const hasManyLogins = ({ made }: Pick<World, 'made'>): boolean => made.submitted.length > 0;

/** Whether the two connections log in side by side, so that a worker that dies may lose both verdicts. */
const areSideBySide = ({ second, theme, institution }: World): boolean =>
  second !== undefined && (theme?.hasTwoLogins === true || institution.adapter.manifest.cannotLock === true);

/** A rejected password is sent once, and every session is logged out. */
export const loginsAreFew: Check = (world, all) => {
  const faults: Violation[] = [];
  const { institution, machine } = world;
  const lost = (machine.faultsOf.get('sync-scope') ?? 0) * (areSideBySide(world) ? 2 : 1);
  // The runs of a deleted connection are deleted with it.
  if (
    world.hasWrongPassword &&
    !world.isDeleted &&
    !hasManyLogins(world) &&
    institution.logins - institution.unclear.length > all.length + lost
  )
    faults.push(`${institution.logins} logins with a wrong password in ${all.length} runs`);
  // A worker that dies between the login and the storing of its session leaves a session that nobody knows.
  if (!machine.faultsOf.has('sync-scope') && institution.sessions.size > 0)
    faults.push(`${institution.sessions.size} sessions left open`);
  return faults;
};

const most = (keys: readonly unknown[]): number =>
  Math.max(0, ...keys.map((key) => keys.filter((other) => other === key).length));

/**
 * decisions.md §5, "Logins": the number of unclear logins that an account may survive, as its institution counts them. A
 * ticket cannot lock an account, so no day limits it.
 */
export const unclearLoginsAreCapped: Check = ({ made, institution: { unclear, adapter } }) => {
  const days =
    adapter.manifest.cannotLock || hasManyLogins({ made })
      ? []
      : unclear.filter(({ isUnjudged, isUnproven }) => isUnproven && !isUnjudged);
  const [ofRun, ofDay] = [most(unclear.map(({ run }) => run)), most(days.map(({ atMs }) => santiagoDay(atMs)))];
  return [
    ...(ofRun > SYNC_LIMITS.unclearLoginsMax ? [`${ofRun} unclear logins in a run`] : []),
    ...(ofDay > SYNC_LIMITS.unclearLoginsMax ? [`${ofDay} unclear logins a day with a password never accepted`] : []),
  ];
};

/** Accepted logins count as well: each may end a session of the owner. */
export const loginsOfARunAreFew: Check = ({ institution: { loginsOf } }) =>
  [...loginsOf].flatMap(([run, logins]) =>
    logins > SYNC_LIMITS.loginsPerRunMax ? [`${logins} logins in the run ${run}`] : [],
  );

/** Where nothing fails, a run has one session from its first scope to its last, although others have the login. */
export const eachRunHasOneSession: Check = ({ theme, hasWrongPassword, institution: { loginsOf } }) => {
  if (!theme?.sharesLogin || hasWrongPassword) return [];
  return [...loginsOf].flatMap(([run, logins]) => (logins > 1 ? [`run ${run} logged in ${logins} times`] : []));
};

/**
 * No window of a login has more calls than allowed, and calls keep their distance, over all workers and sessions.
 */
export const paceIsKept: Check = ({ theme, institution, machine }) => {
  // Each worker waits by its own clock.
  if (theme?.pace === undefined || machine.skewMsMax > 0) return [];
  const faults: Violation[] = [];
  for (const [login, called] of institution.called) {
    const times = called.toSorted((a, b) => a - b);
    for (const [n, atMs] of times.entries()) {
      const [before, first] = [times[n - 1], times[n - PACE.callsMax]];
      if (before !== undefined && atMs - before < PACE.callDelayMs)
        faults.push(`${login}: two calls within ${atMs - before} ms`);
      if (first !== undefined && atMs - first < PACE.windowMs)
        faults.push(`${login}: ${PACE.callsMax + 1} calls within ${atMs - first} ms`);
    }
  }
  return faults;
};
