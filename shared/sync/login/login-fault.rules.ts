/** Classifies faults of logins: before the verdict of a request, and after an accepted request. Pure. */
import type { LoginRecord } from '#shared/sync/run.rules.ts';
import { SYNC_ERRORS, type SyncErrorCode } from '#shared/values/sync-errors.ts';
import type { LoginFault, LoginVerdict } from './login.rules.ts';

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

/**
 * True if the fault concerns the login itself, so that every scope of the run would meet it. A right that is missing
 * for one company may be missing for one scope only.
 */
export const concernsLogin = (code: SyncErrorCode): boolean =>
  SYNC_ERRORS[code].movesToError && code !== 'source.wrong_company';

/**
 * Returns the record of a run whose accepted login is useless. With `isOver`, the run makes no other request: the
 * institution ended two sessions in a row.
 */
export const faultAfterLogin = (
  record: LoginRecord | null,
  credentialsVersion: number,
  { fault, isOver = false }: { fault: LoginFault; isOver?: boolean },
): LoginRecord => ({
  ...(record ?? { requests: 0, failures: 0 }),
  credentialsVersion,
  fault,
  ...(isOver && { isOver }),
});
