/** An organization with a connection to every source that agents can read, and rows in every scope. */

import { randomUUID } from 'node:crypto';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import type { Connection } from '#shared/connections/connection.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { AGENT_SCOPES } from '#shared/mcp/agent-scopes.ts';
import { nowIso } from '#shared/platform/clock.ts';
import { type ScopeDefinition, scopeId } from '#shared/scopes/scope.ts';
import { randomFrom } from './random.ts';
import { PERIODS, ROW_MAKERS } from './scope-rows.ts';
import { newSyncedScope, type SyncedScope } from './synced-scope.ts';

export const createConnection = async (
  organizationId: string,
  source: string,
  changes: Partial<Connection> = {},
): Promise<string> => {
  const id = randomUUID();
  const enabledScopes = AGENT_SCOPES.filter((scope) => scope.source === source).map(({ name }) => name);
  const connection: Connection = {
    organizationId,
    id,
    source,
    name: `${source} connection`,
    enabledScopes,
    metadata: {},
    status: 'active',
    schedule: { enabled: false, frequencyMinutes: null, startsAt: null, revision: 0 },
    credentialsVersion: 1,
    openRuns: [],
    syncedScopes: enabledScopes,
    lastSyncStatus: null,
    lastSuccessfulSyncAt: null,
    createdAt: nowIso(),
    ...changes,
  };
  await connections.create(connection, new Uint8Array(), BY_SERVICE);
  return id;
};

export interface AgentWorld {
  organizationId: string;
  /** Source → connection. */
  connectionOf: Record<string, string>;
  /** `source.scope` → its rows. */
  scopes: Map<string, SyncedScope>;
  of(scope: ScopeDefinition): { connection_id: string; scope: string };
}

export const createAgentWorld = async (rowsPerMonth: number): Promise<AgentWorld> => {
  const organizationId = randomUUID();
  const connectionOf: Record<string, string> = {};
  const scopes = new Map<string, SyncedScope>();
  for (const source of new Set(AGENT_SCOPES.map((scope) => scope.source)))
    connectionOf[source] = await createConnection(organizationId, source);
  for (const scope of AGENT_SCOPES) {
    const owner = { organizationId, connectionId: connectionOf[scope.source]! };
    const synced = await newSyncedScope(scope, owner);
    scopes.set(scopeId(scope), synced);
    const make = ROW_MAKERS[scopeId(scope)]!;
    for (const [at, period] of PERIODS.entries())
      await synced.sync(
        period,
        Array.from({ length: rowsPerMonth }, (_, n) => make(randomFrom(1000 * at + n), period, n)),
      );
  }
  const of = (scope: ScopeDefinition) => ({ connection_id: connectionOf[scope.source]!, scope: scope.name });
  return { organizationId, connectionOf, scopes, of };
};
