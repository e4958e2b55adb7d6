/** Builds the keys of connect links. A link's token and a customer's session are found by their hashes (`keys.ts`). */
import type { OrganizationId } from '#shared/values/ids.ts';
import type { Key } from './keys.ts';

const config = (o: OrganizationId): string => `ORG#${o}#CONFIG`;

export const linkKeys = {
  connectLink: (o: OrganizationId, id: string): Key => ({ pk: config(o), sk: `LINK#${id}` }),
  connectLinks: (o: OrganizationId) => ({ pk: config(o), prefix: 'LINK#' }),
  /** Number of open links. The limit of links is a condition on this item. */
  openLinkCount: (o: OrganizationId): Key => ({ pk: config(o), sk: 'OPENLINKS' }),
  linkToken: (sha256: string): Key => ({ pk: `LINKTOKEN#${sha256}`, sk: 'LINKTOKEN' }),
  linkSession: (sha256: string): Key => ({ pk: `LINKSESSION#${sha256}`, sk: 'LINKSESSION' }),
  /** What one customer does with a link. @param visit `-`, or the hash of a signed reference */
  linkVisit: (o: OrganizationId, linkId: string, visit: string): Key => ({
    pk: `ORG#${o}#LINK#${linkId}`,
    sk: `VISIT#${visit}`,
  }),
};
