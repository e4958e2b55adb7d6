/**
 * The number of an organization's connections, which limits them. It changes in the transaction that creates or deletes
 * a connection, and so does the number of those in the index by reference and RUT. The two differ for good in an
 * organization that had connections before there was an index. If an organization has no number yet, its next creation or
 * deletion stores it.
 */
import { ConditionRefused } from '#shared/table/errors.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { AppError } from '#shared/values/app-error.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { CONNECTION_LIMITS } from './limits.ts';

/** The organization has as many connections as it may have. */
export class TooManyConnections extends AppError {}

/** The number is not stored yet, or does not allow another connection. */
class CountRefused extends AppError {}

export interface Counting {
  one: table.TransactItem;
  lessOne: table.TransactItem;
}

const countingFor = (organizationId: OrganizationId): Counting => {
  const update = keys.connectionCount(organizationId);
  const otherwise = (): Error => new CountRefused();
  return {
    one: {
      update,
      add: { count: 1, indexed: 1 },
      if: 'attribute_exists(#count) AND #count < :max',
      values: { max: CONNECTION_LIMITS.connectionsPerOrganizationMax },
      otherwise,
    },
    lessOne: { update, add: { count: -1, indexed: -1 }, if: 'attribute_exists(#count)', otherwise },
  };
};

const countStored = async (organizationId: OrganizationId): Promise<number> => {
  const { pk, prefix } = keys.connections(organizationId);
  return (await table.query(pk, { prefix, attributes: ['pk', 'sk'] })).length;
};

/** Returns the exact number of connections. */
export const countConnections = async (organizationId: OrganizationId): Promise<number> => {
  const stored = await table.get(keys.connectionCount(organizationId));
  return typeof stored?.count === 'number' ? stored.count : countStored(organizationId);
};

/** True if every connection of the organization has its entries by reference and RUT. */
export const isIndexed = async (organizationId: OrganizationId): Promise<boolean> => {
  const stored = await table.get(keys.connectionCount(organizationId));
  return stored !== undefined && stored.indexed === stored.count;
};

const storeCount = async (organizationId: OrganizationId): Promise<void> => {
  const count = await countStored(organizationId);
  try {
    await table.put({ ...keys.connectionCount(organizationId), count, indexed: 0 }, { if: 'attribute_not_exists(pk)' });
  } catch (error) {
    // Another request stored the number first.
    if (!(error instanceof ConditionRefused)) throw error;
  }
};

/**
 * Commits a transaction with one of the items of `counting`.
 *
 * @throws TooManyConnections
 */
export const whileCounted = async (
  organizationId: OrganizationId,
  commit: (counting: Counting) => Promise<void>,
): Promise<void> => {
  const counting = countingFor(organizationId);
  try {
    return await commit(counting);
  } catch (error) {
    if (!(error instanceof CountRefused)) throw error;
  }
  // If another request has stored the number since the refusal, the second attempt decides.
  if ((await table.get(keys.connectionCount(organizationId))) === undefined) await storeCount(organizationId);
  try {
    await commit(counting);
  } catch (error) {
    throw error instanceof CountRefused ? new TooManyConnections() : error;
  }
};
