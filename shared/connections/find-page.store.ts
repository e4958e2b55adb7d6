/** Finds one page of an organization's connections. */
import type { OrganizationId } from '#shared/values/ids.ts';
import type { Connection } from './connection.rules.ts';
import { list } from './connection.store.ts';
import { countConnections } from './count-connections.store.ts';
import { findFew } from './find-connections.store.ts';
import { findPageOfMany } from './find-page-of-many.store.ts';
import { CONNECTION_LIMITS } from './limits.ts';
import { type ConnectionChoice, type ConnectionPage, choosePage, type PageRange } from './select-connections.rules.ts';

/** Returns one page and the exact number of connections on all pages. */
export const findPage = async (
  organizationId: OrganizationId,
  range: PageRange,
  choice: ConnectionChoice,
): Promise<ConnectionPage<Connection>> => {
  const few = await findFew(organizationId, choice.filter);
  if (few !== undefined) return choosePage(few.connections, range, choice, few.sharers);
  const count = await countConnections(organizationId);
  if (count > CONNECTION_LIMITS.readAllMax) return findPageOfMany(organizationId, range, choice);
  return choosePage(await list(organizationId), range, choice);
};
