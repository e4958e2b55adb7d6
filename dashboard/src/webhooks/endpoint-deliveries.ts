/** Queries a page of an endpoint's deliveries, newest first, and polls while a delivery is pending. */
import { api, must } from '../api/client.ts';

export const DELIVERIES_LIMIT = 25;
const POLL_MS = 3_000;

export const queryDeliveries = (endpointId: string, offset: number) => ({
  queryKey: ['webhooks', endpointId, 'deliveries', offset],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    must(
      api.GET('/webhooks/{id}/deliveries', {
        params: { path: { id: endpointId }, query: { limit: DELIVERIES_LIMIT, offset } },
        signal,
      }),
    ),
  refetchInterval: POLL_MS,
});
