/**
 * Codes of runs, scope outcomes and webhook `errorCode` (decisions.md §5). They are another set than the HTTP
 * error codes of `shared/http/response/errors.ts`.
 *
 * `mends` orders gravity: owner before source before us. `retried`: a try that failed so may be repeated in the
 * same run. `movesToError`: the connection goes to `error`, because only its owner can mend it.
 */
export const SYNC_ERRORS = {
  'source.invalid_credentials': { mends: 'owner', retried: false, movesToError: true },
  'source.account_locked': { mends: 'owner', retried: false, movesToError: true },
  'source.mfa_required': { mends: 'owner', retried: false, movesToError: true },
  'source.consent_expired': { mends: 'owner', retried: false, movesToError: true },
  'source.wrong_company': { mends: 'owner', retried: false, movesToError: true },
  'source.mfa_timeout': { mends: 'owner', retried: false, movesToError: false },
  'sync.cancelled': { mends: 'owner', retried: false, movesToError: false },
  'source.unavailable': { mends: 'source', retried: true, movesToError: false },
  'source.maintenance': { mends: 'source', retried: true, movesToError: false },
  'source.timeout': { mends: 'source', retried: true, movesToError: false },
  'source.rate_limited': { mends: 'source', retried: true, movesToError: false },
  'source.session_limit': { mends: 'source', retried: true, movesToError: false },
  'source.blocked': { mends: 'source', retried: false, movesToError: false },
  'source.unexpected_response': { mends: 'us', retried: true, movesToError: false },
  'sync.internal_error': { mends: 'us', retried: true, movesToError: false },
  'sync.timed_out': { mends: 'us', retried: false, movesToError: false },
} as const satisfies Record<string, { mends: 'owner' | 'source' | 'us'; retried: boolean; movesToError: boolean }>;

export type SyncErrorCode = keyof typeof SYNC_ERRORS;
export type SourceErrorCode = Extract<SyncErrorCode, `source.${string}`>;

export const isSyncErrorCode = (code: string): code is SyncErrorCode => code in SYNC_ERRORS;
