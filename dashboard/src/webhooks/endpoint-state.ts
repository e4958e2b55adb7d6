/** What an endpoint's latest deliveries say of it: that it is enabled says nothing of whether anything arrives. */
import type { WebhookDelivery, WebhookEndpoint } from './event-types.ts';

export type EndpointState = 'disabled' | 'enabled' | 'unused' | 'working' | 'unsteady' | 'failing';

const WINDOW_MS = 3_600_000;

type Attempted = Pick<WebhookDelivery, 'status' | 'error' | 'last_attempt_at'>;

/** Of the last attempt; undefined while its outcome is not known. */
const isSuccess = ({ status, error }: Attempted): boolean | undefined => {
  if (status === 'delivered') return true;
  return status === 'failed' || error !== null ? false : undefined;
};

/**
 * Judged by the hour before the newest attempt, on the service's clock, not the browser's.
 * @param deliveries the newest ones; undefined while they are not known
 */
export const stateOf = (
  { enabled, last_success_at: lastSuccess }: Pick<WebhookEndpoint, 'enabled' | 'last_success_at'>,
  deliveries: readonly Attempted[] | undefined,
): EndpointState => {
  if (!enabled) return 'disabled';
  if (deliveries === undefined) return 'enabled';
  const attempts = deliveries.flatMap((delivery) => {
    const success = isSuccess(delivery);
    const at = delivery.last_attempt_at;
    return success === undefined || at === null ? [] : [{ success, atMs: Date.parse(at) }];
  });
  // A success of a delivery older than those that were read.
  if (lastSuccess !== null) attempts.push({ success: true, atMs: Date.parse(lastSuccess) });
  if (attempts.length === 0) return 'unused';
  const newestMs = attempts.reduce((newest, { atMs }) => Math.max(newest, atMs), 0);
  const recent = attempts.filter(({ atMs }) => atMs > newestMs - WINDOW_MS);
  if (recent.every(({ success }) => success)) return 'working';
  return recent.some(({ success }) => success) ? 'unsteady' : 'failing';
};
