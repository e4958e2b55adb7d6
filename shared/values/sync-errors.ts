/**
 * Codes of runs, scope outcomes and webhook `errorCode` (decisions.md §5). They are separate from the HTTP error codes
 * in `shared/http/response/errors.ts`.
 *
 * `responsible` also gives the severity: errors of the owner are the most severe, then errors of the source, then our
 * own. `retried`: an attempt with this code may be repeated in the same run. `movesToError`: the connection's status
 * becomes `error`, because only its owner can fix the cause.
 */
import * as z from 'zod';

export const SYNC_ERRORS = {
  'source.invalid_credentials': { responsible: 'owner', retried: false, movesToError: true },
  'source.password_expired': { responsible: 'owner', retried: false, movesToError: true },
  'source.login_not_allowed': { responsible: 'owner', retried: false, movesToError: true },
  'source.account_locked': { responsible: 'owner', retried: false, movesToError: true },
  'source.mfa_required': { responsible: 'owner', retried: false, movesToError: true },
  'source.consent_expired': { responsible: 'owner', retried: false, movesToError: true },
  'source.wrong_company': { responsible: 'owner', retried: false, movesToError: true },
  'source.mfa_timeout': { responsible: 'owner', retried: false, movesToError: false },
  'sync.cancelled': { responsible: 'owner', retried: false, movesToError: false },
  'source.unavailable': { responsible: 'source', retried: true, movesToError: false },
  'source.maintenance': { responsible: 'source', retried: true, movesToError: false },
  'source.timeout': { responsible: 'source', retried: true, movesToError: false },
  'source.rate_limited': { responsible: 'source', retried: true, movesToError: false },
  'source.session_limit': { responsible: 'source', retried: true, movesToError: false },
  'source.blocked': { responsible: 'source', retried: false, movesToError: false },
  'source.unexpected_response': { responsible: 'us', retried: true, movesToError: false },
  'sync.internal_error': { responsible: 'us', retried: true, movesToError: false },
  'sync.timed_out': { responsible: 'us', retried: false, movesToError: false },
} as const satisfies Record<
  string,
  { responsible: 'owner' | 'source' | 'us'; retried: boolean; movesToError: boolean }
>;

export type SyncErrorCode = keyof typeof SYNC_ERRORS;
export type SourceErrorCode = Extract<SyncErrorCode, `source.${string}`>;

/** Accepts any string: after a rollback, a newer release may have stored a code that this release does not know. */
export const storedErrorCode = (): z.ZodType<SyncErrorCode, SyncErrorCode> =>
  z.string() as unknown as z.ZodType<SyncErrorCode, SyncErrorCode>;
