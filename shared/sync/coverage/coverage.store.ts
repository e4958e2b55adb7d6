/** The coverage of a scope: one item, written in the transaction of each outcome of the scope. */
import * as z from 'zod';
import { packJson, unpackJson } from '#shared/rows/item/page-index-codec.ts';
import { joinAddress } from '#shared/rows/item/scope-address.ts';
import { RunConflict } from '#shared/sync/run/run.store.ts';
import { bytes, item } from '#shared/table/item.ts';
import { type Key, keys, type ScopeAddress } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import { mustGet } from '#shared/values/must-get.ts';
import { AttemptSchema, type Coverage, type CoveredPeriods } from './coverage.rules.ts';

const CoverageSchema = z.object({
  /** Version of the item. Every change is conditional on the version, because a cancel holds no lease. */
  version: z.number(),
  lastAttempt: AttemptSchema,
  lastSuccessAt: z.string().nullable(),
  /** The periods as deflated JSON. */
  packed: bytes(),
});
export const coverageItem = item('coverage', CoverageSchema);

export interface StoredCoverage extends Coverage {
  version: number;
}

const fromItem = (found: table.Item): StoredCoverage => {
  const { packed, ...coverage } = coverageItem.fromItem(found);
  return { ...coverage, periods: unpackJson(packed) as CoveredPeriods };
};

export const find = async (address: ScopeAddress): Promise<StoredCoverage | undefined> => {
  const found = await table.get(keys.coverage(address));
  return found && fromItem(found);
};

/** Returns the coverage by scope, for all scopes that have an outcome. */
export const listCoverage = async (
  organizationId: OrganizationId,
  connectionId: ConnectionId,
): Promise<Map<string, StoredCoverage>> => {
  const { pk, sk: prefix } = keys.coverage({ organizationId, connectionId, scope: '' });
  const items = await table.query(pk, { prefix });
  return new Map(items.map((found) => [scopeOf(found, prefix), fromItem(found)]));
};

/** Returns the coverage of scopes of several connections by `joinAddress`. A scope without an outcome has no entry. */
export const findMany = async (
  addresses: readonly ScopeAddress[],
  { isConsistent }: { isConsistent: boolean },
): Promise<Map<string, StoredCoverage>> => {
  const names = new Map(addresses.map((address) => [joinKey(keys.coverage(address)), joinAddress(address)]));
  const items = await table.batchGet(addresses.map(keys.coverage), { consistent: isConsistent });
  return new Map(items.map((found) => [mustGet(names, joinKey(found)), fromItem(found)]));
};

const joinKey = ({ pk, sk }: Key): string => `${pk} ${sk}`;

const scopeOf = ({ sk }: Key, prefix: string): string => sk.slice(prefix.length);

/**
 * Returns the item that stores the coverage, for a transaction.
 * @throws RunConflict if another outcome was written in the meantime; the caller reads again and decides again
 */
export const coveragePut = (
  address: ScopeAddress,
  before: StoredCoverage | undefined,
  { periods, ...coverage }: Coverage,
): table.TransactItem => ({
  put: {
    ...keys.coverage(address),
    ...coverageItem.toItem({ ...coverage, version: (before?.version ?? 0) + 1, packed: packJson(periods) }),
  },
  ...(before ? { if: '#version = :seen', values: { seen: before.version } } : { if: 'attribute_not_exists(pk)' }),
  otherwise: () => new RunConflict(),
});
