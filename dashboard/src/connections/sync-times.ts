/** Times of a connection's last and next sync, as text. */
import type { Connection } from '../api/client.ts';
import { common } from '../text/common-texts.ts';
import { instant } from '../text/format.ts';
import { connectionTexts } from './texts.ts';

export const lastSync = ({ last_successful_sync_at: last }: Connection): string =>
  last ? instant(last) : common.say('time.never');

export const nextSync = ({ status, sync_schedule_enabled: isScheduled, next_scheduled_sync_at: next }: Connection) => {
  const say = connectionTexts.say;
  if (status === 'disabled') return say('next.disabled');
  if (!isScheduled || next === null) return say('next.none');
  // Scheduled syncs of a connection with the status `error` are skipped, because repeated wrong passwords lock the
  // account at the institution.
  return status === 'error' ? say('next.error') : instant(next);
};
