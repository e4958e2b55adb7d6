/**
 * What must hold of webhooks at every write: slots of endpoints, and the effect of an attempt's end on its endpoint.
 */

import { madeAtMs } from '#shared/platform/ids.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import type { Machine } from '../machine/machine.ts';
import { virtual } from '../machine/virtual-process.ts';
import type { Item } from '../table/values.ts';

const placesOf = (item: Item | undefined): ReadonlySet<string> =>
  (item?.in_flight as ReadonlySet<string> | undefined) ?? new Set();

const msOf = (item: Item | undefined): number =>
  typeof item?.last_success_at === 'string' ? Date.parse(item.last_success_at) : 0;

export const watchWebhooks = (machine: Machine, blame: (line: string) => void) => {
  /** Number of writes so far, which orders events. */
  let writes = 0;
  /** By endpoint, and by delivery. */
  const failedAt = new Map<string, number>();
  const claimedAt = new Map<string, number>();
  const forgiven = new Set<string>();
  /** Attempts whose slots were not released in time. */
  const lapsed = new Set<string>();

  /** An endpoint has a maximum of attempts at a time, and a lower one after a timeout. */
  const onPlaces = (before: Item | undefined, after: Item): void => {
    const { webhookInFlightPerEndpointMax: most, webhookInFlightPerSlowEndpointMax: few } = WEBHOOK_LIMITS;
    const max = before?.is_slow === true ? few : most;
    const [were, are] = [placesOf(before), placesOf(after)];
    if (are.size > were.size && are.size > max) blame(`${after.pk} has ${are.size} slots of ${max}`);
    for (const id of were)
      if (!are.has(id) && virtual.nowMs - madeAtMs(id) >= WEBHOOK_LIMITS.webhookClaimMs - machine.skewMsMax)
        lapsed.add(id);
  };

  const onDelivery = (before: Item | undefined, after: Item): void => {
    const [id, endpoint] = [String(after.id), String(after.endpoint_id)];
    if (before?.status === after.status) return;
    if (after.status === 'delivering') claimedAt.set(id, writes);
    // An attempt that overlaps a failure may count as earlier than the failure.
    if (after.status === 'delivered' && claimedAt.get(id)! > (failedAt.get(endpoint) ?? 0)) forgiven.add(endpoint);
  };

  const onEndpoint = (before: Item | undefined, after: Item): void => {
    const endpoint = String(after.id);
    // The stamp is exact to the minute: successes that end together may be stamped in any order.
    if (msOf(after) < msOf(before) - WEBHOOK_LIMITS.webhookSuccessStampMs - machine.skewMsMax)
      blame(`the last success of endpoint ${endpoint} moved back`);
    if (Number(after.failures_in_row) <= Number(before?.failures_in_row ?? 0)) return;
    failedAt.set(endpoint, writes);
    forgiven.delete(endpoint);
  };

  const onStored = (before: Item | undefined, after: Item): void => {
    writes++;
    if (after.sk === 'SLOTS') onPlaces(before, after);
    else if (after.sk.startsWith('DELIVERY#')) onDelivery(before, after);
    else if (after.sk.startsWith('HOOK#')) onEndpoint(before, after);
  };
  return { onStored, forgiven, lapsed };
};
