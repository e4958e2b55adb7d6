/** The stored form of a connect link. */
import { item } from '#shared/table/item.ts';
import { ConnectLinkSchema } from './link.rules.ts';

export const linkItem = item('connect link', ConnectLinkSchema, {
  absent: ['returnUrl', 'connectionId', 'connectionsMax', 'cancelledAt', 'runId'],
});
