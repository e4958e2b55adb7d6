/** The stored form of a connect link. */
import { item } from '#shared/table/item.ts';
import { expiresAt } from '#shared/table/ttl.ts';
import { DAY_MS } from '#shared/values/dates.ts';
import { CONNECT_LINK_LIMITS } from './limits.ts';
import { type ConnectLink, ConnectLinkSchema } from './link.rules.ts';

export const linkItem = item('connect link', ConnectLinkSchema, {
  absent: ['returnUrl', 'connectionId', 'connectionsMax', 'cancelledAt', 'runId'],
});

/** When the link and its visits are removed: an ended link stays in the list for some time. */
export const withRemoval = ({ expiresAt: end }: Pick<ConnectLink, 'expiresAt'>) =>
  expiresAt(new Date(Date.parse(end) + CONNECT_LINK_LIMITS.endedLinkDays * DAY_MS).toISOString());
