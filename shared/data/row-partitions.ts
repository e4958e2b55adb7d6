/** Where the rows of a scope are: reading all of a period, for whoever compares, indexes or deletes them. */
import type { StoredRow } from '#shared/domain/row-diff.ts';
import { facetCombinations } from '#shared/domain/row-facets.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { keys } from './keys.ts';
import { openFacetsOf, type ScopeAddress, storedPeriods } from './page-indexes.ts';
import { storedAttributes, storedRow } from './row-items.ts';
import * as table from './table.ts';

/** Facet partitions in which a period may have rows. */
const facetsOfPeriod = async (address: ScopeAddress, scope: ScopeDefinition, period: string): Promise<string[]> =>
  scope.openFacets ? openFacetsOf(address, period) : facetCombinations(scope.facets);

const partition = (address: ScopeAddress, period: string, facets: string): string =>
  keys.rows(address.organizationId, address.connectionId, address.scope, period, facets);

/** Rows of one period as stored, of every facet partition. */
export const readPeriod = async (
  address: ScopeAddress,
  scope: ScopeDefinition,
  period: string,
): Promise<StoredRow[]> => {
  const attributes = storedAttributes(scope);
  const partitions = await Promise.all(
    (await facetsOfPeriod(address, scope, period)).map(async (facets) => {
      const items = await table.query(partition(address, period, facets), { attributes });
      return items.map((item) => storedRow(scope, facets, item));
    }),
  );
  return partitions.flat();
};

/**
 * Partition keys of everything that is stored of a scope. The index comes last: it is what tells which the others are,
 * so that whoever deletes them in this order can begin again after an interruption.
 */
export const partitionsOf = async (address: ScopeAddress, scope: ScopeDefinition): Promise<string[]> => {
  const { organizationId, connectionId, scope: name } = address;
  const rows = await Promise.all(
    (await storedPeriods(address)).map(async (period) =>
      (await facetsOfPeriod(address, scope, period)).map((facets) => partition(address, period, facets)),
    ),
  );
  return [
    ...rows.flat(),
    ...keys.fullRowPartitions(organizationId, connectionId, name),
    keys.index(organizationId, connectionId, name),
  ];
};
