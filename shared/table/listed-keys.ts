/** Builds the keys of the snapshot of an organization's connections. Readers may write only in this partition. */
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import type { Key } from './keys.ts';

const listed = (o: OrganizationId): string => `ORG#${o}#LISTED`;

export const listedKeys = {
  /** Note that a connection changed after the snapshot. */
  changedConnection: (o: OrganizationId, id: ConnectionId): Key => ({ pk: listed(o), sk: `CHANGED#${id}` }),
  changedConnections: (o: OrganizationId) => ({ pk: listed(o), prefix: 'CHANGED#' }),
  /** Names the newest snapshot. */
  connectionSnapshot: (o: OrganizationId): Key => ({ pk: listed(o), sk: 'SNAPSHOT' }),
};
