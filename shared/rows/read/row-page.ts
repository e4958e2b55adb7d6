/** Request and result types for a page of a list of rows. */

import type { DayRange } from '#shared/rows/index/page-index.rules.ts';
import type { ScopeAddress } from '#shared/rows/item/scope-address.ts';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';

export interface RowFilter {
  period: string | null;
  /** Search text, in scopes with search. */
  q?: string | undefined;
  /** Wanted value by facet field. */
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
