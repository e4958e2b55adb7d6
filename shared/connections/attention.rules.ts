/** What the owner of a connection must do, as codes. Pure. */
import type { NoticeCode } from '#shared/values/notice-catalogue.ts';
import { noticeCode } from '#shared/values/notice-code.ts';
import { SYNC_ERRORS, type SyncErrorCode } from '#shared/values/sync-errors.ts';
import type { Connection } from './connection.rules.ts';

/** The connection moved to `error` before the codes of runs were stored with it. */
const UNKNOWN_CAUSE = 'connection.error';
/** A login of an open run waits for a person's approval on the phone. */
const WAITS_FOR_APPROVAL = 'connection.approval_pending' as const;

const isForOwner = (code: SyncErrorCode): boolean =>
  SYNC_ERRORS[code]?.responsible === 'owner' && code !== 'sync.cancelled';

const failureOf = ({
  status,
  lastErrorCode,
}: Pick<Connection, 'status' | 'lastErrorCode'>): (SyncErrorCode | typeof UNKNOWN_CAUSE)[] => {
  if (lastErrorCode !== undefined && isForOwner(lastErrorCode)) return [lastErrorCode];
  return status === 'error' ? [lastErrorCode ?? UNKNOWN_CAUSE] : [];
};

/** True if a login of an open run waits for a person's approval. */
export const waitsForApproval = (
  { openRuns, approvalUntil }: Pick<Connection, 'openRuns' | 'approvalUntil'>,
  nowMs: number,
): boolean => openRuns.length > 0 && approvalUntil !== undefined && Date.parse(approvalUntil) > nowMs;

/** Code of the notice, the warning and the attention of connections with one login and company. */
export const loginSharedCode = (source: string): NoticeCode => noticeCode(source, 'login_shared');

/**
 * Returns the codes, empty if the owner has nothing to do. A disabled connection needs nothing.
 * @param isLoginShared another connection reads the same company with the same login
 */
export const listAttention = (
  connection: Pick<Connection, 'status' | 'lastErrorCode' | 'source' | 'openRuns' | 'approvalUntil'>,
  { nowMs, isLoginShared }: { nowMs: number; isLoginShared: boolean },
): (SyncErrorCode | NoticeCode | typeof UNKNOWN_CAUSE | typeof WAITS_FOR_APPROVAL)[] => {
  if (connection.status === 'disabled') return [];
  return [
    ...(waitsForApproval(connection, nowMs) ? [WAITS_FOR_APPROVAL] : []),
    ...failureOf(connection),
    ...(isLoginShared ? [loginSharedCode(connection.source)] : []),
  ];
};
