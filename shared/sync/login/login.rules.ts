/**
 * Decides which login requests are made (decisions.md §5, "Logins"). A request is counted before it is made and
 * uncounted when its verdict is known. If the worker dies before it knows the verdict, the request stays counted. Pure.
 */
import * as z from 'zod';
import type { LoginRecord } from '#shared/sync/run.rules.ts';
import { DAY_MS, santiagoDay, santiagoMidnight, santiagoMidnightMs } from '#shared/values/dates.ts';
import { SYNC_ERRORS, storedErrorCode } from '#shared/values/sync-errors.ts';

export interface LoginLimits {
  unclearLoginsMax: number;
  loginsPerRunMax: number;
  renewalEveryMs: number;
  /** True if unclear requests cannot lock an account, so a day does not limit them. */
  cannotLock?: boolean | undefined;
  leaseMs: number;
  leaseMarginMs: number;
  scopeMinutesMax: number;
  loginPauseMs: number;
  unprovenLoginPauseMs: number;
  credentialsPerLoginMax: number;
}

const LoginFaultSchema = z.object({ code: storedErrorCode(), message: z.string() });
export interface LoginFault extends z.infer<typeof LoginFaultSchema> {}

/** The history of one password of a login. */
const CredentialRecordSchema = z.object({
  /** Newest verdict of the institution. */
  standing: z.enum(['unproven', 'accepted', 'refused']),
  /** Number of requests without a clear verdict on `day`, a Santiago day. Includes a request that is under way. */
  unclear: z.number(),
  day: z.string(),
  /** Reason for the newest failure. */
  fault: LoginFaultSchema.nullable(),
  /** Earliest time of the next request. */
  notBeforeMs: z.number(),
  lastAtMs: z.number(),
});
export interface CredentialRecord extends z.infer<typeof CredentialRecordSchema> {}

/**
 * The history of one login at one institution. All connections of an organization that use the login share the history.
 */
export const LoginHistorySchema = z.object({
  version: z.number(),
  /** The newest request, if it has no verdict yet. */
  underWay: z.object({ slot: z.number(), sinceMs: z.number() }).nullable(),
  /** Records by fingerprint of the password. */
  credentials: z.record(z.string(), CredentialRecordSchema),
});
export interface LoginHistory extends z.infer<typeof LoginHistorySchema> {}

export interface LoginAttempt {
  fingerprint: string;
  credentialsVersion: number;
  trigger: 'manual' | 'schedule';
  /** Slot of the worker that makes the request. Each slot has at most one worker that logs in. */
  slot: number;
  atMs: number;
  /** True if the request renews a token whose announced life is over. */
  isRenewal: boolean;
  /** Reason why the scope needs another login; null if it is the scope's first one. */
  reason: LoginFault | null;
}

export type Withheld =
  /** Another worker is logging in. The verdict of that login decides. */
  | { kind: 'under_way' }
  | { kind: 'postponed'; fault: LoginFault; untilMs: number }
  | { kind: 'refused'; fault: LoginFault };

/** The verdict on a request. An unclear fault may have used up one of the few attempts that an account has. */
export type LoginVerdict =
  | { kind: 'accepted' }
  | ({ kind: 'refused' | 'unclear' | 'unreached'; pauseMs: number } & LoginFault);

export interface Ledgers {
  history: LoginHistory;
  record: LoginRecord;
}

export const freshHistory = (): LoginHistory => ({ version: 0, underWay: null, credentials: {} });

const LOST: LoginFault = { code: 'source.timeout', message: 'A login was interrupted before its answer came.' };

const unclearOn = (known: CredentialRecord | undefined, day: string): number =>
  known?.day === day ? known.unclear : 0;

const isDayOver = (known: CredentialRecord | undefined, atMs: number, limits: LoginLimits): boolean =>
  !limits.cannotLock &&
  known?.standing !== 'accepted' &&
  unclearOn(known, santiagoDay(atMs)) >= limits.unclearLoginsMax;

const areUnclearOver = (record: LoginRecord | null, limits: LoginLimits): boolean =>
  (record?.failures ?? 0) >= limits.unclearLoginsMax;

/** True if the run may make no other request. A renewal in time is only counted while it is unclear. */
export const isRunOver = (record: LoginRecord | null, limits: LoginLimits, isFree = false): boolean =>
  record?.isOver === true ||
  areUnclearOver(record, limits) ||
  (!isFree && (record?.requests ?? record?.failures ?? 0) >= limits.loginsPerRunMax);

/** True if the request is not counted in the run: it renews a token, and the last request was some time ago. */
const isFreeRenewal = (
  known: CredentialRecord | undefined,
  { isRenewal, atMs }: LoginAttempt,
  { renewalEveryMs }: LoginLimits,
): boolean => isRenewal && known !== undefined && atMs - known.lastAtMs >= renewalEveryMs;

/**
 * Returns the next Santiago day. Midnights are at most 25 hours apart, so 1.5 days after a midnight is within the next
 * day.
 */
const nextDay = (atMs: number): string =>
  santiagoMidnight(santiagoDay(santiagoMidnightMs(santiagoDay(atMs)) + 1.5 * DAY_MS));

const saidOf = (fault: LoginFault, why: string): LoginFault => ({ ...fault, message: `${why} Last: ${fault.message}` });

const dayIsOver = (fault: LoginFault, atMs: number): LoginFault =>
  saidOf(fault, `Not tried: two unclear logins today; next try ${nextDay(atMs)} or with new credentials.`);

const ENDED: LoginFault = { code: 'source.unavailable', message: 'The institution ended the session.' };

const runIsOver = (record: LoginRecord | null, reason: LoginFault | null, limits: LoginLimits): LoginFault => {
  if (areUnclearOver(record, limits))
    return saidOf(record?.fault ?? LOST, 'Not tried again: two unclear logins in this run.');
  return saidOf(reason ?? record?.fault ?? ENDED, 'Not tried again: two logins in this run.');
};

/**
 * True if a request is under way. If the request is older than the duration of a lease, its worker is gone and the
 * request is not under way.
 */
export const isUnderWay = ({ underWay }: LoginHistory, atMs: number, limits: LoginLimits): boolean =>
  underWay !== null && atMs - underWay.sinceMs < limits.leaseMs + limits.leaseMarginMs;

/** Returns the reason why no request may be made now, or null. */
export const withheldLogin = (
  history: LoginHistory,
  record: LoginRecord | null,
  attempt: LoginAttempt,
  limits: LoginLimits,
): Withheld | null => {
  const { fingerprint, credentialsVersion, trigger, slot, atMs, reason } = attempt;
  const known = history.credentials[fingerprint];
  // If this worker holds the slot of the request that is under way, the worker that made the request died or was
  // superseded.
  if (isUnderWay(history, atMs, limits) && history.underWay?.slot !== slot) return { kind: 'under_way' };
  const own = record?.credentialsVersion === credentialsVersion ? record : null;
  if (own?.fault && !SYNC_ERRORS[own.fault.code].retried) return { kind: 'refused', fault: own.fault };
  const fault = known?.fault ?? LOST;
  if (known?.standing === 'refused' && trigger === 'schedule')
    return { kind: 'refused', fault: saidOf(fault, 'Not tried: these credentials were refused before.') };
  if (isRunOver(record, limits, isFreeRenewal(known, attempt, limits)))
    return { kind: 'refused', fault: runIsOver(record, reason, limits) };
  if (isDayOver(known, atMs, limits)) return { kind: 'refused', fault: dayIsOver(fault, atMs) };
  if (known && known.notBeforeMs > atMs) return { kind: 'postponed', fault, untilMs: known.notBeforeMs };
  return null;
};

const newestOf = (credentials: LoginHistory['credentials'], max: number): LoginHistory['credentials'] =>
  Object.fromEntries(
    Object.entries(credentials)
      .sort(([, a], [, b]) => b.lastAtMs - a.lastAtMs)
      .slice(0, max),
  );

/** Counts a request before it is made. */
export const countLogin = (
  history: LoginHistory,
  record: LoginRecord | null,
  attempt: LoginAttempt,
  limits: LoginLimits,
): Ledgers => {
  const { fingerprint, credentialsVersion, slot, atMs } = attempt;
  const known = history.credentials[fingerprint];
  const day = santiagoDay(atMs);
  return {
    history: {
      version: history.version,
      underWay: { slot, sinceMs: atMs },
      credentials: newestOf(
        {
          ...history.credentials,
          [fingerprint]: {
            standing: known?.standing ?? 'unproven',
            unclear: unclearOn(known, day) + 1,
            day,
            fault: known?.fault ?? null,
            notBeforeMs: 0,
            lastAtMs: atMs,
          },
        },
        limits.credentialsPerLoginMax,
      ),
    },
    record: {
      ...record,
      credentialsVersion,
      requests: (record?.requests ?? record?.failures ?? 0) + (isFreeRenewal(known, attempt, limits) ? 0 : 1),
      failures: (record?.failures ?? 0) + 1,
      fault: null,
    },
  };
};

const pauseOf = (known: CredentialRecord, asked: number, limits: LoginLimits): number =>
  Math.min(
    limits.scopeMinutesMax * 60_000,
    Math.max(
      asked,
      limits.cannotLock || known.standing === 'accepted' ? limits.loginPauseMs : limits.unprovenLoginPauseMs,
    ),
  );

/**
 * Applies the verdict of a request.
 * @param record login record of the run as stored now
 */
export const settleLogin = (
  { history, record }: Ledgers,
  attempt: LoginAttempt,
  { verdict, atMs }: { verdict: LoginVerdict; atMs: number },
  limits: LoginLimits,
): Ledgers => {
  const { fingerprint, credentialsVersion, slot } = attempt;
  const isOurs = history.underWay?.slot === slot && history.underWay.sinceMs === attempt.atMs;
  const before = history.credentials[fingerprint];
  const ledgers = (known: CredentialRecord, failures: number, fault: LoginFault | null, accepted = {}): Ledgers => ({
    history: {
      version: history.version,
      underWay: isOurs ? null : history.underWay,
      credentials: { ...history.credentials, [fingerprint]: known },
    },
    record: { ...record, credentialsVersion, failures: record.failures + failures, fault, ...accepted },
  });
  const day = santiagoDay(attempt.atMs);
  const counted = before ?? {
    standing: 'unproven' as const,
    unclear: 1,
    day,
    fault: null,
    notBeforeMs: 0,
    lastAtMs: attempt.atMs,
  };
  if (verdict.kind === 'accepted')
    return ledgers({ ...counted, standing: 'accepted', unclear: 0, fault: null, notBeforeMs: 0 }, -1, null, {
      acceptedVersion: credentialsVersion,
    });
  const fault = { code: verdict.code, message: verdict.message };
  const takenBack = {
    ...counted,
    unclear: counted.unclear - (counted.day === day && counted.unclear > 0 ? 1 : 0),
    fault,
  };
  if (verdict.kind === 'refused') {
    const standing = SYNC_ERRORS[verdict.code].movesToError ? 'refused' : counted.standing;
    return ledgers({ ...takenBack, standing }, -1, fault);
  }
  if (verdict.kind === 'unreached') {
    const notBeforeMs = atMs + pauseOf({ ...counted, standing: 'accepted' }, verdict.pauseMs, limits);
    return ledgers({ ...takenBack, notBeforeMs }, 0, fault);
  }
  // Credentials that were never accepted wait for the pause even if the fault is not retried. So this run does not use
  // up the attempts of another connection with the same credentials.
  const isPaused = SYNC_ERRORS[verdict.code].retried || counted.standing !== 'accepted';
  const notBeforeMs = isPaused ? atMs + pauseOf(counted, verdict.pauseMs, limits) : 0;
  return ledgers({ ...counted, fault, notBeforeMs }, 0, fault);
};

/** Returns when the next request may be made after a failed request, or why no request may be made. */
export const nextLogin = (
  { history, record }: Ledgers,
  fingerprint: string,
  atMs: number,
  limits: LoginLimits,
): Withheld | null => {
  const known = history.credentials[fingerprint];
  const fault = record.fault ?? LOST;
  if (isDayOver(known, atMs, limits)) return { kind: 'refused', fault: dayIsOver(fault, atMs) };
  if (isRunOver(record, limits)) return { kind: 'refused', fault: runIsOver(record, null, limits) };
  return known && known.notBeforeMs > atMs ? { kind: 'postponed', fault, untilMs: known.notBeforeMs } : null;
};
