/** Finds connections by the integrator's reference or the RUT of the company, without reading all of them. */
import { mapConcurrent } from '#shared/platform/concurrency.ts';
import type { SharedTrait } from '#shared/table/keys.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { findLoginSharers } from './account-key.rules.ts';
import type { Connection } from './connection.rules.ts';
import { findMany, list } from './connection.store.ts';
import { listIdsWith, listLoginSharers } from './connection-index.store.ts';
import { isIndexed } from './count-connections.store.ts';
import { CONNECTION_LIMITS } from './limits.ts';
import { newestFirst } from './listed-connection.rules.ts';
import type { ConnectionFilter } from './select-connections.rules.ts';

/** Connections, newest creation first, and the ids of those that share login and company with another one. */
export interface FoundConnections {
  connections: Connection[];
  sharers: ReadonlySet<string>;
}

type SearchedMetadata = Pick<ConnectionFilter, 'reference' | 'companyRut'>;

const findByIndex = async (organizationId: OrganizationId, trait: SharedTrait): Promise<Connection[] | undefined> => {
  const most = CONNECTION_LIMITS.foundByIndexMax;
  if (!(await isIndexed(organizationId))) return undefined;
  const ids = await listIdsWith(organizationId, trait, most + 1);
  if (ids.length > most) return undefined;
  const found = await findMany(ids.map((connectionId) => ({ organizationId, connectionId })));
  return [...found.values()].sort(newestFirst);
};

/** Returns the connections whose login and company another connection of the organization has. */
const listSharers = async (connections: readonly Connection[]): Promise<ReadonlySet<string>> => {
  const others = await mapConcurrent(connections, TABLE_LIMITS.tableParallelMax, listLoginSharers);
  return new Set(connections.filter((_, at) => others[at]!.length > 0).map(({ id }) => id));
};

const findTrait = ({ reference, companyRut }: SearchedMetadata): SharedTrait | undefined => {
  if (reference !== undefined) return ['REFERENCE', reference];
  return companyRut === undefined ? undefined : ['COMPANY', companyRut];
};

/**
 * Returns at least the connections with this reference or RUT. Undefined if neither is wanted, if more than
 * `foundByIndexMax` have it, or if the index lacks older connections.
 */
export const findFew = async (
  organizationId: OrganizationId,
  wanted: SearchedMetadata,
): Promise<FoundConnections | undefined> => {
  const trait = findTrait(wanted);
  const few = trait && (await findByIndex(organizationId, trait));
  return few && { connections: few, sharers: await listSharers(few) };
};

/** Returns at least the connections with this reference or RUT, or all connections if `findFew` finds none. */
export const findConnections = async (
  organizationId: OrganizationId,
  wanted: SearchedMetadata,
): Promise<FoundConnections> => {
  const few = await findFew(organizationId, wanted);
  if (few !== undefined) return few;
  const connections = await list(organizationId);
  return { connections, sharers: findLoginSharers(connections) };
};
