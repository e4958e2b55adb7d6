/** Where the rows of a scope are: reading all of a period, for whoever compares, indexes or deletes them. */

import { forEachConcurrent } from '#shared/platform/concurrency.ts';
import { stringInterner } from '#shared/platform/string-interner.ts';
import { facetCombinations } from '#shared/rows/item/facets.ts';
import type { StoredRow } from '#shared/rows/item/row-diff.rules.ts';
import { parseRow, storedAttributes, storedRow } from '#shared/rows/item/row-items.ts';
import { rowSortKeyParts } from '#shared/rows/item/row-keys.ts';
import type { ScopeAddress } from '#shared/rows/item/scope-address.ts';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import { keys } from '#shared/table/keys.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import * as table from '#shared/table/table.ts';
import { findOpenFacets, storedPeriods } from './page-index.store.ts';

/** Facet partitions in which a period may have rows. */
const facetsOfPeriod = async (address: ScopeAddress, scope: ScopeDefinition, period: string): Promise<string[]> =>
  scope.openFacets ? findOpenFacets(address, period) : facetCombinations(scope.facets);

/**
 * Rows of one period as stored, of every facet partition. Of 100,000 rows it is held what is compared and nothing more:
 * the pages they came in go one by one, and the few runs that made them are named by one text each.
 */
export const readPeriod = async (
  address: ScopeAddress,
  scope: ScopeDefinition,
  period: string,
): Promise<StoredRow[]> => {
  const attributes = storedAttributes(scope);
  const rows: StoredRow[] = [];
  const shared = stringInterner();
  await forEachConcurrent(
    await facetsOfPeriod(address, scope, period),
    TABLE_LIMITS.tableParallelMax,
    async (facets) => {
      for await (const items of table.queryPages(keys.rows(address, period, facets), { attributes }))
        for (const item of items) {
          const row = storedRow(scope, facets, item);
          rows.push({ ...row, createdRun: shared(row.createdRun), updatedRun: shared(row.updatedRun) });
        }
    },
  );
  return rows;
};

/** Every row of a period as it is listed, by its id. */
export const listedRows = async (
  address: ScopeAddress,
  scope: ScopeDefinition,
  period: string,
  onRow: (id: string, row: Row) => void,
): Promise<void> => {
  await forEachConcurrent(
    await facetsOfPeriod(address, scope, period),
    TABLE_LIMITS.tableParallelMax,
    async (facets) => {
      for await (const items of table.queryPages(keys.rows(address, period, facets), { attributes: ['sk', 'row'] }))
        for (const found of items) onRow(rowSortKeyParts(found.sk).rowId, parseRow(found));
    },
  );
};

/**
 * Partition keys of everything that is stored of a scope. The index comes last: it is what tells which the others are,
 * so that whoever deletes them in this order can begin again after an interruption.
 */
export const findPartitions = async (address: ScopeAddress, scope: ScopeDefinition): Promise<string[]> => {
  const rows = await Promise.all(
    (await storedPeriods(address)).map(async (period) =>
      (await facetsOfPeriod(address, scope, period)).map((facets) => keys.rows(address, period, facets)),
    ),
  );
  return [...rows.flat(), ...keys.fullRowPartitions(address), keys.index(address)];
};
