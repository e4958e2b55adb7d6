/**
 * Stores connect links. The link's token is stored as a hash in an item of its own, by which a customer's browser finds
 * the link; the secret of a standing link is stored encrypted in the item of the link, and lists never read it.
 */
import * as z from 'zod';
import type { Cause } from '#shared/audit/audit.rules.ts';
import * as audit from '#shared/audit/audit.store.ts';
import { nowIso } from '#shared/platform/clock.ts';
import { ConditionRefused } from '#shared/table/errors.ts';
import { bytes, item } from '#shared/table/item.ts';
import { linkKeys } from '#shared/table/link-keys.ts';
import * as table from '#shared/table/table.ts';
import { expiresAt, isExpired } from '#shared/table/ttl.ts';
import { AppError } from '#shared/values/app-error.ts';
import { type OrganizationId, organizationId } from '#shared/values/ids.ts';
import { oneLess, whileOpenCounted } from './count-open-links.store.ts';
import type { ConnectLink } from './link.rules.ts';
import { linkItem, withRemoval } from './link-item.ts';

export const linkSecretItem = item('connect link secret', z.object({ secret: bytes() }));
export const linkTokenItem = item(
  'connect link token',
  z.object({ organizationId: organizationId(), linkId: z.string() }),
);

/** The link exists: an earlier call wrote it, but its response was lost. */
export class LinkExists extends AppError {}

/**
 * @param secret encrypted secret of a standing link
 * @throws LinkExists
 * @throws TooManyOpenLinks
 */
export const create = async (
  link: ConnectLink,
  { tokenSha256, secret }: { tokenSha256: string; secret: Uint8Array | null },
  cause: Cause,
): Promise<void> => {
  const { organizationId, id } = link;
  await whileOpenCounted(organizationId, (oneMore) =>
    audit.commit(
      [
        {
          put: {
            ...linkKeys.connectLink(organizationId, id),
            ...linkItem.toItem(link),
            ...(secret === null ? {} : linkSecretItem.toItem({ secret })),
            ...withRemoval(link),
          },
          if: 'attribute_not_exists(pk)',
          otherwise: () => new LinkExists(),
        },
        {
          put: {
            ...linkKeys.linkToken(tokenSha256),
            ...linkTokenItem.toItem({ organizationId, linkId: id }),
            ...expiresAt(link.expiresAt),
          },
          if: 'attribute_not_exists(pk)',
        },
        oneMore,
      ],
      audit.newEvent({ organizationId, action: 'connect_link.created', targetId: id }, cause),
    ),
  );
};

export const find = async (organizationId: OrganizationId, id: string): Promise<ConnectLink | undefined> => {
  const found = await table.get(linkKeys.connectLink(organizationId, id), { consistent: true });
  return found && !isExpired(found) ? linkItem.fromItem(found) : undefined;
};

/** Returns the encrypted secret of a standing link. */
export const findSecret = async (organizationId: OrganizationId, id: string): Promise<Uint8Array | undefined> => {
  const found = await table.get(linkKeys.connectLink(organizationId, id));
  return found && linkSecretItem.fromItem(found).secret;
};

/** Returns the link of a token, also if the link ended. */
export const findByToken = async (tokenSha256: string): Promise<ConnectLink | undefined> => {
  const found = await table.get(linkKeys.linkToken(tokenSha256), { consistent: true });
  if (!found) return undefined;
  const { organizationId, linkId } = linkTokenItem.fromItem(found);
  return find(organizationId, linkId);
};

/** Returns links, newest first: the newest, or those older than the link `before`. */
export const list = async (
  organizationId: OrganizationId,
  { limit, before }: { limit: number; before: string | null },
): Promise<{ links: ConnectLink[]; hasMore: boolean }> => {
  const { pk, prefix: from } = linkKeys.connectLinks(organizationId);
  // One more item shows whether another page follows. The range includes the cursor's own link, which is left out.
  const range = { from, to: `${from}${before ?? '~'}`, descending: true, limit: limit + 2 };
  const items = await table.query(pk, { ...range, attributes: linkItem.attributes });
  const links = items.map(linkItem.fromItem).filter(({ id }) => id !== before);
  return { links: links.slice(0, limit), hasMore: links.length > limit };
};

/**
 * Cancels an open link. Sessions of the link end with it.
 * @returns undefined if the link does not exist
 */
export const cancel = async ({ organizationId, id }: ConnectLink, cause: Cause): Promise<ConnectLink | undefined> => {
  const cancelled = { cancelledAt: nowIso() };
  try {
    await audit.commit(
      [
        {
          update: linkKeys.connectLink(organizationId, id),
          set: linkItem.toChanges(cancelled),
          if: 'attribute_exists(pk) AND attribute_not_exists(#cancelled_at)',
        },
        oneLess(organizationId),
      ],
      audit.newEvent({ organizationId, action: 'connect_link.cancelled', targetId: id }, cause),
    );
  } catch (error) {
    if (!(error instanceof ConditionRefused)) throw error;
    // Another request cancelled the link first.
  }
  return find(organizationId, id);
};
