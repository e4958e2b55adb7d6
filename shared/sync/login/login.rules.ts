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

const LOST: LoginFault = { code: 'sync.internal_error', message: 'A login was interrupted before its verdict came.' };

const unclearOn = (known: CredentialRecord | undefined, day: string): number =>
  known?.day === day ? known.unclear : 0;

const isDayOver = (known: CredentialRecord | undefined, atMs: number, limits: LoginLimits): boolean =>
  known?.standing !== 'accepted' && unclearOn(known, santiagoDay(atMs)) >= limits.unclearLoginsMax;

const isRunOver = (record: LoginRecord | null, limits: LoginLimits): boolean =>
  (record?.failures ?? 0) >= limits.unclearLoginsMax;

/**
 * Returns the next Santiago day. Midnights are at most 25 hours apart, so 1.5 days after a midnight is within the next
 * day.
 */
const nextDay = (atMs: number): string =>
  santiagoMidnight(santiagoDay(santiagoMidnightMs(santiagoDay(atMs)) + 1.5 * DAY_MS));

const saidOf = (fault: LoginFault, why: string): LoginFault => ({ ...fault, message: `${why} Last: ${fault.message}` });

const dayIsOver = (fault: LoginFault, atMs: number): LoginFault =>
  saidOf(fault, `Not tried: two unclear logins today; next try ${nextDay(atMs)} or with new credentials.`);

const runIsOver = (fault: LoginFault): LoginFault => saidOf(fault, 'Not tried again: two unclear logins in this run.');

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
  { fingerprint, credentialsVersion, trigger, slot, atMs }: LoginAttempt,
  limits: LoginLimits,
): Withheld | null => {
  const known = history.credentials[fingerprint];
  // If this worker holds the slot of the request that is under way, the worker that made the request died or was
  // superseded.
  if (isUnderWay(history, atMs, limits) && history.underWay?.slot !== slot) return { kind: 'under_way' };
  const own = record?.credentialsVersion === credentialsVersion ? record : null;
  if (own?.fault && !SYNC_ERRORS[own.fault.code].retried) return { kind: 'refused', fault: own.fault };
  const fault = known?.fault ?? LOST;
  if (known?.standing === 'refused' && trigger === 'schedule')
    return { kind: 'refused', fault: saidOf(fault, 'Not tried: these credentials were refused before.') };
  if (isRunOver(record, limits)) return { kind: 'refused', fault: runIsOver(record?.fault ?? LOST) };
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
  { fingerprint, credentialsVersion, slot, atMs }: LoginAttempt,
  limits: LoginLimits,
): Ledgers => {
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
    record: { credentialsVersion, failures: (record?.failures ?? 0) + 1, fault: null },
  };
};

const pauseOf = (known: CredentialRecord, asked: number, limits: LoginLimits): number =>
  Math.min(
    limits.scopeMinutesMax * 60_000,
    Math.max(asked, known.standing === 'accepted' ? limits.loginPauseMs : limits.unprovenLoginPauseMs),
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
  const ledgers = (known: CredentialRecord, failures: number, fault: LoginFault | null): Ledgers => ({
    history: {
      version: history.version,
      underWay: isOurs ? null : history.underWay,
      credentials: { ...history.credentials, [fingerprint]: known },
    },
    record: { credentialsVersion, failures: record.failures + failures, fault },
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
    return ledgers({ ...counted, standing: 'accepted', unclear: 0, fault: null, notBeforeMs: 0 }, -1, null);
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

/** Classifies a failed request. Any fault that is not certainly harmless is unclear. */
export const classifyLoginFault = (
  fault: LoginFault & { isUnsent: boolean; retryAfterMs: number | undefined },
): Exclude<LoginVerdict, { kind: 'accepted' }> => {
  const { code, message } = fault;
  // The institution reports that it did not check the password.
  const isUnjudged = code === 'source.maintenance' || code === 'source.session_limit';
  const kind =
    fault.isUnsent || isUnjudged ? 'unreached' : SYNC_ERRORS[code].responsible === 'owner' ? 'refused' : 'unclear';
  return { kind, code, message, pauseMs: fault.retryAfterMs ?? 0 };
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
  if (isRunOver(record, limits)) return { kind: 'refused', fault: runIsOver(fault) };
  return known && known.notBeforeMs > atMs ? { kind: 'postponed', fault, untilMs: known.notBeforeMs } : null;
};
