/**
 * The number of an organization's connections, which limits them. It changes in the transaction that creates or deletes
 * a connection, and so does the number of those in the index by reference and RUT. The two differ after an older version of
 * this code created or deleted one; the next creation or deletion completes the index. If an organization has no number
 * yet, its next creation or deletion stores it.
 */
import { ServiceBusy } from '#shared/platform/patience.ts';
import { ConditionRefused } from '#shared/table/errors.ts';
import { stillAsRead } from '#shared/table/expressions.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { AppError } from '#shared/values/app-error.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { indexOlderConnections } from './connection-index.store.ts';
import { CONNECTION_LIMITS } from './limits.ts';

/** The organization has as many connections as it may have. */
export class TooManyConnections extends AppError {}

/** The number is not stored yet, the index is not complete, or there are too many connections. */
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
      if: '#indexed = #count AND #count < :max',
      values: { max: CONNECTION_LIMITS.connectionsPerOrganizationMax },
      otherwise,
    },
    lessOne: { update, add: { count: -1, indexed: -1 }, if: '#indexed = #count', otherwise },
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

const isComplete = (stored: table.Item | undefined): boolean => stored !== undefined && stored.indexed === stored.count;

/** True if every connection of the organization has its entries by reference and RUT. */
export const isIndexed = async (organizationId: OrganizationId): Promise<boolean> =>
  isComplete(await table.get(keys.connectionCount(organizationId)));

/**
 * Completes index and number. Does nothing if another request does at the same time.
 *
 * @throws TooManyConnections
 */
const prepareCount = async (organizationId: OrganizationId): Promise<void> => {
  const key = keys.connectionCount(organizationId);
  const stored = await table.get(key);
  if (isComplete(stored)) {
    if (Number(stored?.count) >= CONNECTION_LIMITS.connectionsPerOrganizationMax) throw new TooManyConnections();
    return;
  }
  const found = await indexOlderConnections(organizationId);
  const count = stored?.count ?? found;
  try {
    if (stored === undefined) await table.put({ ...key, count, indexed: count }, { if: 'attribute_not_exists(pk)' });
    else await table.update(key, { set: { indexed: count }, ...stillAsRead({ count }) });
  } catch (error) {
    if (!(error instanceof ConditionRefused)) throw error;
  }
};

/**
 * Commits a transaction with one of the items of `counting`.
 *
 * @throws TooManyConnections
 * @throws ServiceBusy if requests of an older version were faster in every attempt
 */
export const whileCounted = async (
  organizationId: OrganizationId,
  commit: (counting: Counting) => Promise<void>,
): Promise<void> => {
  const counting = countingFor(organizationId);
  for (let attempt = 0; attempt < CONNECTION_LIMITS.connectionChangeAttemptsMax; attempt++) {
    try {
      return await commit(counting);
    } catch (error) {
      if (!(error instanceof CountRefused)) throw error;
    }
    await prepareCount(organizationId);
  }
  throw new ServiceBusy('the number of connections changes too often');
};
