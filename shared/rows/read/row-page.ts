/** A page of a list of rows: how it is asked for, and what comes back. */

import type { DayRange } from '#shared/rows/index/page-index.rules.ts';
import type { ScopeAddress } from '#shared/rows/item/scope-address.ts';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';

export interface RowFilter {
  period: string | null;
  /** What to look for, in scopes that are searched. */
  q?: string | undefined;
  /** Facet field → wanted value. */
  facets: Readonly<Record<string, unknown>>;
  days: DayRange;
}

export interface PageRequest {
  address: ScopeAddress;
  scope: ScopeDefinition;
  filter: RowFilter;
  offset: number;
  limit: number;
}

export interface RowPage {
  rows: Row[];
  total: number;
}
