/** Reads all rows of a period, to compare, index or delete them. */

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

/** Returns the facet partitions in which a period may have rows. */
const facetsOfPeriod = async (address: ScopeAddress, scope: ScopeDefinition, period: string): Promise<string[]> =>
  scope.openFacets ? findOpenFacets(address, period) : facetCombinations(scope.facets);

/**
 * Returns all stored rows of one period, from all facet partitions. To save memory with 100,000 rows, only the compared
 * attributes are held, each page is freed after use, and equal run ids share one string.
 *
 * @param isCompared true for rows whose facts the caller compares; without it no facts are read
 */
export const readPeriod = async (
  address: ScopeAddress,
  scope: ScopeDefinition,
  period: string,
  isCompared?: (id: string, hash: string) => boolean,
): Promise<StoredRow[]> => {
  const attributes = storedAttributes(scope, isCompared !== undefined);
  const rows: StoredRow[] = [];
  const shared = stringInterner();
  await forEachConcurrent(
    await facetsOfPeriod(address, scope, period),
    TABLE_LIMITS.tableParallelMax,
    async (facets) => {
      for await (const items of table.queryPages(keys.rows(address, period, facets), { attributes }))
        for (const item of items) {
          const row = storedRow(scope, facets, item, isCompared);
          rows.push({ ...row, createdRun: shared(row.createdRun), updatedRun: shared(row.updatedRun) });
        }
    },
  );
  return rows;
};

/** Returns all rows of a period by id, each row as the list of the scope shows it. */
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
 * Returns the partition keys of all stored items of a scope. The index comes last, because it names the other
 * partitions. So a deletion in this order can resume after an interruption.
 */
export const findPartitions = async (address: ScopeAddress, scope: ScopeDefinition): Promise<string[]> => {
  const rows = await Promise.all(
    (await storedPeriods(address)).map(async (period) =>
      (await facetsOfPeriod(address, scope, period)).map((facets) => keys.rows(address, period, facets)),
    ),
  );
  return [...rows.flat(), ...keys.fullRowPartitions(address), keys.index(address)];
};
