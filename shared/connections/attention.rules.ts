/** What the owner of a connection must do, as codes. Pure. */
import { SYNC_ERRORS, type SyncErrorCode } from '#shared/values/sync-errors.ts';
import type { Connection } from './connection.rules.ts';

/** The connection moved to `error` before the codes of runs were stored with it. */
const UNKNOWN_CAUSE = 'connection.error';

const isForOwner = (code: SyncErrorCode): boolean =>
  SYNC_ERRORS[code]?.responsible === 'owner' && code !== 'sync.cancelled';

/** Returns the codes, empty if the owner has nothing to do. A disabled connection needs nothing. */
export const listAttention = ({
  status,
  lastErrorCode,
}: Pick<Connection, 'status' | 'lastErrorCode'>): (SyncErrorCode | typeof UNKNOWN_CAUSE)[] => {
  if (status === 'disabled') return [];
  if (lastErrorCode !== undefined && isForOwner(lastErrorCode)) return [lastErrorCode];
  return status === 'error' ? [lastErrorCode ?? UNKNOWN_CAUSE] : [];
};
