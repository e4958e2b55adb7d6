/** Derives an endpoint's state from its latest deliveries: an enabled endpoint may still receive nothing. */
import type { WebhookDelivery, WebhookEndpoint } from './event-types.ts';

export type EndpointState = 'disabled' | 'enabled' | 'unused' | 'working' | 'late' | 'unsteady' | 'failing';

const WINDOW_MS = 3_600_000;
/** The first attempt is immediate, so a delivery that waits longer than this is late. */
const LATE_MS = 60_000;

type Judged = Pick<WebhookDelivery, 'status' | 'error' | 'last_attempt_at' | 'created_at'>;

/** Result of the last attempt; undefined while its outcome is unknown. */
const isSuccess = ({ status, error }: Judged): boolean | undefined => {
  if (status === 'delivered') return true;
  return status === 'failed' || error !== null ? false : undefined;
};

/** Time of the delivery's last change, by the service's clock. */
const movedMs = ({ created_at, last_attempt_at }: Judged): number => Date.parse(last_attempt_at ?? created_at);

/**
 * Outcomes count from the hour before the newest attempt, by the service's clock. The browser's clock only decides
 * which deliveries are late, and the newest instant from the service corrects a clock that is behind.
 * @param deliveries the newest ones; undefined while they are unknown
 * @param readMs time at which they were read, by the browser's clock
 */
export const stateOf = (
  { enabled, last_success_at: lastSuccess }: Pick<WebhookEndpoint, 'enabled' | 'last_success_at'>,
  deliveries: readonly Judged[] | undefined,
  readMs: number,
): EndpointState => {
  if (!enabled) return 'disabled';
  if (deliveries === undefined) return 'enabled';
  const attempts = deliveries.flatMap((delivery) => {
    const success = isSuccess(delivery);
    const at = delivery.last_attempt_at;
    return success === undefined || at === null ? [] : [{ success, atMs: Date.parse(at) }];
  });
  // A success of a delivery that is older than those that were read.
  if (lastSuccess !== null) attempts.push({ success: true, atMs: Date.parse(lastSuccess) });
  const newestMs = attempts.reduce((newest, { atMs }) => Math.max(newest, atMs), 0);
  const recent = attempts.filter(({ atMs }) => atMs > newestMs - WINDOW_MS);
  if (recent.some(({ success }) => !success)) return recent.some(({ success }) => success) ? 'unsteady' : 'failing';
  // A success does not outweigh late deliveries: the failures may belong to deliveries that were not read.
  const nowMs = deliveries.reduce(
    (latest, delivery) => Math.max(latest, movedMs(delivery)),
    Math.max(readMs, newestMs),
  );
  const isLate = (delivery: Judged) => isSuccess(delivery) === undefined && nowMs - movedMs(delivery) > LATE_MS;
  if (deliveries.some(isLate)) return 'late';
  return attempts.length === 0 ? 'unused' : 'working';
};
