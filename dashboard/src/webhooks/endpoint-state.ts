/**
 * Derives the state of an endpoint from its latest deliveries. The setting `enabled` is not sufficient, because an
 * enabled endpoint may still receive nothing.
 */
import type { WebhookDelivery, WebhookEndpoint } from './event-types.ts';

export type EndpointState = 'disabled' | 'enabled' | 'unused' | 'working' | 'late' | 'unsteady' | 'failing';

const WINDOW_MS = 3_600_000;
/** A pending delivery that waits longer than this is late, because its first attempt should be immediate. */
const LATE_MS = 60_000;

type LatestDelivery = Pick<WebhookDelivery, 'status' | 'error' | 'last_attempt_at' | 'created_at' | 'test'>;

/** True if the last attempt succeeded, false if it failed; undefined while its outcome is unknown. */
const isSuccess = ({ status, error }: LatestDelivery): boolean | undefined => {
  if (status === 'delivered') return true;
  return status === 'failed' || error !== null ? false : undefined;
};

/** Returns the time of the delivery's last change, by the service's clock. */
const movedMs = ({ created_at, last_attempt_at }: LatestDelivery): number => Date.parse(last_attempt_at ?? created_at);

/**
 * Returns the state of an endpoint. Only outcomes of the hour before the newest attempt count, by the service's clock.
 * The browser's clock only decides which deliveries are late; if it is behind, the service's newest instant is used
 * instead. A test says nothing about the endpoint's deliveries.
 * @param latest the newest deliveries; undefined while they are unknown
 * @param readMs time at which the deliveries were read, by the browser's clock
 */
export const describeEndpoint = (
  { enabled, last_success_at: lastSuccess }: Pick<WebhookEndpoint, 'enabled' | 'last_success_at'>,
  latest: readonly LatestDelivery[] | undefined,
  readMs: number,
): EndpointState => {
  if (!enabled) return 'disabled';
  if (latest === undefined) return 'enabled';
  const deliveries = latest.filter(({ test }) => !test);
  const attempts = deliveries.flatMap((delivery) => {
    const success = isSuccess(delivery);
    const at = delivery.last_attempt_at;
    return success === undefined || at === null ? [] : [{ success, atMs: Date.parse(at) }];
  });
  // `last_success_at` may belong to a delivery that is older than all deliveries in the list.
  if (lastSuccess !== null) attempts.push({ success: true, atMs: Date.parse(lastSuccess) });
  const newestMs = attempts.reduce((newest, { atMs }) => Math.max(newest, atMs), 0);
  const recent = attempts.filter(({ atMs }) => atMs > newestMs - WINDOW_MS);
  if (recent.some(({ success }) => !success)) return recent.some(({ success }) => success) ? 'unsteady' : 'failing';
  // Late deliveries are reported even after a recent success, because failures may belong to deliveries that are not in
  // the list.
  const nowMs = deliveries.reduce(
    (latest, delivery) => Math.max(latest, movedMs(delivery)),
    Math.max(readMs, newestMs),
  );
  const isLate = (delivery: LatestDelivery) => isSuccess(delivery) === undefined && nowMs - movedMs(delivery) > LATE_MS;
  if (deliveries.some(isLate)) return 'late';
  return attempts.length === 0 ? 'unused' : 'working';
};
