/** What a customer learns about a login: derived from the sync that tries the newest credentials. Pure. */
import { isTerminal, type ScopeOutcome, type SyncRun } from '#shared/sync/run.rules.ts';
import { SYNC_ERRORS, type SyncErrorCode } from '#shared/values/sync-errors.ts';

/**
 * `asked`: no credentials were sent. `checking`: nothing is decided. `approval`: the institution waits until the customer
 * approves the login on the phone. `accepted`: final. `refused`: the customer can send other credentials. `stored`: the
 * sync had nothing to ask the institution, so it has not seen the credentials. `unavailable`: the institution or the
 * service failed, and nothing is known about the credentials.
 */
export const VERDICTS = ['asked', 'checking', 'approval', 'accepted', 'refused', 'stored', 'unavailable'] as const;

export interface Verdict {
  state: (typeof VERDICTS)[number];
  /** Why the login was refused, or is not known. */
  errorCode: SyncErrorCode | null;
  /** When the wait for an approval ends. */
  until: string | null;
}

const plain = (state: Verdict['state']): Verdict => ({ state, errorCode: null, until: null });

export const ASKED = plain('asked');
export const CHECKING = plain('checking');

/** Part of a run's progress. */
interface Progress {
  approvalUntil?: string | undefined;
}

const isRead = ({ status }: ScopeOutcome): boolean => status === 'ok' || status === 'partial';

/** The scope asked the institution. A scope of tenders without a tender ends well and asks nothing. */
const isAsked = (outcome: ScopeOutcome): boolean =>
  isRead(outcome) && (outcome.periods.length > 0 || (outcome.recordsFound ?? 0) > 0);

const isLoginAccepted = ({ login }: SyncRun): boolean =>
  login?.acceptedVersion !== undefined && login.acceptedVersion === login.credentialsVersion;

/**
 * True once a scope was read in a session of these credentials. Later faults of the run do not change that. An accepted
 * login proves less: the user may lack the right to see the company.
 */
const isAccepted = (run: SyncRun): boolean => {
  const outcomes = Object.values(run.outcomes);
  return outcomes.some(isRead) && (isLoginAccepted(run) || outcomes.some(isAsked));
};

const openVerdict = ({ status }: SyncRun, progress: Progress | undefined): Verdict =>
  status === 'running' && progress?.approvalUntil !== undefined
    ? { ...plain('approval'), until: progress.approvalUntil }
    : CHECKING;

const endedVerdict = (run: SyncRun): Verdict => {
  if (run.status === 'succeeded' || run.status === 'partial') return plain('stored');
  const errorCode = run.errorCode ?? 'sync.internal_error';
  const error = SYNC_ERRORS[errorCode];
  const isOwners = run.status === 'failed' && error?.responsible === 'owner';
  if (isOwners && (error.movesToError || !isLoginAccepted(run))) return { ...plain('refused'), errorCode };
  return isLoginAccepted(run) ? plain('accepted') : { ...plain('unavailable'), errorCode };
};

export const judgeRun = (run: SyncRun, progress: Progress | undefined): Verdict => {
  if (isAccepted(run)) return plain('accepted');
  return isTerminal(run) ? endedVerdict(run) : openVerdict(run, progress);
};

/** True if the customer may send credentials now. */
export const takesCredentials = ({ state }: Verdict): boolean =>
  state !== 'checking' && state !== 'approval' && state !== 'accepted';
