/**
 * The number of an organization's open links, which limits them. It changes in the transaction that makes or cancels a
 * link. Nothing is written when a link is used or expires, so the number may be too high, and it is counted again
 * only when it refuses a link.
 */
import { nowMs } from '#shared/platform/clock.ts';
import { ConditionRefused } from '#shared/table/errors.ts';
import { linkKeys } from '#shared/table/link-keys.ts';
import * as table from '#shared/table/table.ts';
import { AppError } from '#shared/values/app-error.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { CONNECT_LINK_LIMITS } from './limits.ts';
import { deriveLinkStatus } from './link.rules.ts';
import { linkItem } from './link-item.ts';
import { listUsed } from './read-verdict.ts';

/** The organization has as many open links as it may have. */
export class TooManyOpenLinks extends AppError {}

const oneMore = (organizationId: OrganizationId): table.TransactItem => ({
  update: linkKeys.openLinkCount(organizationId),
  add: { count: 1 },
  if: 'attribute_not_exists(#count) OR #count < :max',
  values: { max: CONNECT_LINK_LIMITS.openLinksPerOrganizationMax },
  otherwise: () => new TooManyOpenLinks(),
});

/** Returns the item with which an open link is cancelled. */
export const oneLess = (organizationId: OrganizationId): table.TransactItem => ({
  update: linkKeys.openLinkCount(organizationId),
  add: { count: -1 },
});

/** Counts the open links again, unless another request changes the number in the meantime. */
const recount = async (organizationId: OrganizationId): Promise<void> => {
  const key = linkKeys.openLinkCount(organizationId);
  const seen = (await table.get(key))?.count;
  const { pk, prefix } = linkKeys.connectLinks(organizationId);
  const links = (await table.query(pk, { prefix, attributes: linkItem.attributes })).map(linkItem.fromItem);
  const used = await listUsed(links);
  const open = links.filter((link) => deriveLinkStatus(link, used.has(link.id), nowMs()) === 'open');
  try {
    await table.put({ ...key, count: open.length }, { if: '#count = :seen', values: { seen } });
  } catch (error) {
    if (!(error instanceof ConditionRefused)) throw error;
  }
};

/**
 * Commits a transaction with the item that counts one more open link.
 *
 * @throws TooManyOpenLinks
 */
export const whileOpenCounted = async (
  organizationId: OrganizationId,
  commit: (oneMore: table.TransactItem) => Promise<void>,
): Promise<void> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return await commit(oneMore(organizationId));
    } catch (error) {
      if (!(error instanceof TooManyOpenLinks) || attempt >= CONNECT_LINK_LIMITS.recountAttemptsMax) throw error;
      await recount(organizationId);
    }
  }
};
