/** What a customer learns about a login: derived from the sync that tries the newest credentials. Pure. */
import { isTerminal, type SyncRun } from '#shared/sync/run.rules.ts';
import { SYNC_ERRORS, type SyncErrorCode } from '#shared/values/sync-errors.ts';

/**
 * `asked`: no credentials were sent. `checking`: the institution has not decided. `approval`: it waits until the customer
 * approves the login on the phone. `accepted`: final. `refused`: the customer can send other credentials.
 * `unavailable`: the institution or the service failed, and nothing is known about the credentials.
 */
export const VERDICTS = ['asked', 'checking', 'approval', 'accepted', 'refused', 'unavailable'] as const;

export interface Verdict {
  state: (typeof VERDICTS)[number];
  /** Why the login was refused, or is not known. */
  errorCode: SyncErrorCode | null;
  /** When the wait for an approval ends. */
  until: string | null;
}

const ACCEPTED: Verdict = { state: 'accepted', errorCode: null, until: null };
const CHECKING: Verdict = { state: 'checking', errorCode: null, until: null };

/** Parts of a run's progress. */
interface Progress {
  stage: string;
  approvalUntil?: string | undefined;
}

const READING: ReadonlySet<string> = new Set(['downloading', 'storing', 'finishing']);

const openVerdict = (run: SyncRun, progress: Progress | undefined): Verdict => {
  if (run.status === 'queued' || progress === undefined) return CHECKING;
  if (progress.approvalUntil !== undefined) return { ...CHECKING, state: 'approval', until: progress.approvalUntil };
  // Rows are read only in a session that the institution opened with these credentials.
  return READING.has(progress.stage) ? ACCEPTED : CHECKING;
};

const isLoginAccepted = ({ login }: SyncRun): boolean =>
  login !== null && login.acceptedVersion === login.credentialsVersion;

const endedVerdict = (run: SyncRun): Verdict => {
  if (run.status === 'succeeded' || run.status === 'partial') return ACCEPTED;
  const errorCode = run.errorCode ?? 'sync.internal_error';
  if (run.status === 'failed' && SYNC_ERRORS[errorCode]?.responsible === 'owner')
    return { state: 'refused', errorCode, until: null };
  return isLoginAccepted(run) ? ACCEPTED : { state: 'unavailable', errorCode, until: null };
};

export const ASKED: Verdict = { state: 'asked', errorCode: null, until: null };

export const judgeRun = (run: SyncRun, progress: Progress | undefined): Verdict =>
  isTerminal(run) ? endedVerdict(run) : openVerdict(run, progress);

/** True if the customer may send credentials now. */
export const takesCredentials = ({ state }: Verdict): boolean =>
  state === 'asked' || state === 'refused' || state === 'unavailable';
