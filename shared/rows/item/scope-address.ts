/** Which rows are meant, and who may write them. */
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import type { ScopeAddress } from '#shared/table/keys.ts';
import type { Lease } from '#shared/table/lease.ts';

export type { ScopeAddress } from '#shared/table/keys.ts';

/** A period of a scope in the hands of the holder of its lease. */
export interface HeldPeriod {
  address: ScopeAddress;
  scope: ScopeDefinition;
  period: string;
  lease: Lease;
}
