/** Queries one delivery with its attempts, and polls until it has ended. */
import { api, must, type Schemas } from '../api/client.ts';

const POLL_MS = 1_000;

type WebhookDeliveryDetail = Schemas['WebhookDeliveryDetail'];
export type WebhookAttempt = WebhookDeliveryDetail['attempt_log'][number];

export const hasEnded = ({ status }: Pick<WebhookDeliveryDetail, 'status'>): boolean =>
  status === 'delivered' || status === 'failed';

export const queryDelivery = (id: string, deliveryId: string) => ({
  queryKey: ['webhooks', id, 'delivery', deliveryId],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    must(api.GET('/webhooks/{id}/deliveries/{deliveryId}', { params: { path: { id, deliveryId } }, signal })),
  refetchInterval: ({ state }: { state: { data: { data: WebhookDeliveryDetail } | undefined } }) =>
    state.data !== undefined && hasEnded(state.data.data) ? false : POLL_MS,
});
