/**
 * Sums the stored rows of a month. The rows are read consistently, and the index must have the same version before and
 * after the read.
 */

import { findPeriods, findSummary, IndexConflict } from '#shared/rows/index/page-index.store.ts';
import { wantedFacets } from '#shared/rows/item/facets.ts';
import { parseRow } from '#shared/rows/item/row-items.ts';
import type { ScopeAddress } from '#shared/rows/item/scope-address.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import type { AgentView, Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { AppError } from '#shared/values/app-error.ts';
import { ConflictError } from '#shared/values/conflicts.ts';
import { retryOnConflict } from '#shared/values/retry-on-conflict.ts';
import { type GroupSums, sumRows } from './period-sums.rules.ts';

/** The month has too many rows to sum in one request. */
export class TooManyRows extends AppError {
  readonly rows: number;
  constructor(rows: number) {
    super('too many rows to add up');
    this.rows = rows;
  }
}

export interface SummedPeriod {
  address: ScopeAddress;
  scope: ScopeDefinition & { agent: AgentView };
  period: string;
  /** Wanted value by facet field. */
  facets: Readonly<Record<string, unknown>>;
}

const ATTEMPTS_MAX = 3;

/**
 * Returns the version of the period's index.
 *
 * @throws IndexConflict while a writer changes the period's rows
 */
const standingVersion = async (address: ScopeAddress, period: string): Promise<number> => {
  const stored = (await findPeriods(address, [period])).get(period);
  if (stored?.dirty) throw new IndexConflict();
  return stored?.version ?? 0;
};

const readOnce = async ({ address, scope, period, facets }: SummedPeriod): Promise<GroupSums[]> => {
  const before = await standingVersion(address, period);
  const totals = (await findSummary(address))[period]?.totals ?? {};
  const wanted = [...wantedFacets(scope, Object.keys(totals), facets)];
  const rows = wanted.reduce((sum, name) => sum + totals[name]!, 0);
  if (rows > ROW_LIMITS.agentSummedRowsMax) throw new TooManyRows(rows);
  const read: Row[] = [];
  for (const name of wanted)
    for (const item of await table.query(keys.rows(address, period, name), { attributes: ['row'] }))
      read.push(parseRow(item));
  if (read.length !== rows || (await standingVersion(address, period)) !== before) throw new IndexConflict();
  return sumRows(scope.agent, read);
};

/**
 * Returns the sums of the wanted facets, by group. Empty for a month without rows.
 * @throws `TooManyRows`; `ConflictError` `connection_sync_in_progress` while the month is being written
 */
export const sumPeriod = async (wanted: SummedPeriod): Promise<GroupSums[]> => {
  try {
    return await retryOnConflict([IndexConflict], ATTEMPTS_MAX, () => readOnce(wanted));
  } catch (error) {
    if (error instanceof IndexConflict) throw new ConflictError('connection_sync_in_progress');
    throw error;
  }
};
