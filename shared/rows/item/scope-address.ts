/** Addresses of rows, and the lease that a writer needs. */
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import type { ScopeAddress } from '#shared/table/keys.ts';
import type { Lease } from '#shared/table/lease.ts';

export type { ScopeAddress } from '#shared/table/keys.ts';

/** A period of a scope, together with the lease of the worker that writes it. */
export interface HeldPeriod {
  address: ScopeAddress;
  scope: ScopeDefinition;
  period: string;
  lease: Lease;
}

/** Returns the name of a scope among the scopes of an organization's connections. */
export const joinAddress = ({ connectionId, scope }: ScopeAddress): string => `${connectionId} ${scope}`;
