import * as z from 'zod';
import type { Connection } from '#shared/connections/connection.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { readScopes } from '#shared/mcp/agent-scopes.ts';
import { MCP_LIMITS } from '#shared/mcp/limits.ts';
import { buildQuestion, findStart, fittingPage } from '#shared/mcp/pages.ts';
import { type Agent, cursor, defineTool, nextCursor, untrusted } from '#shared/mcp/tool.ts';
import { cleanText } from '#shared/mcp/untrusted-text.rules.ts';
import { readCoverage, type StoredScopeCoverage } from '#shared/sync/coverage/read-coverage.ts';
import { instant, period, uuid } from '#shared/values/fields.ts';

const ScopeStateView = z.strictObject({
  scope: z.string(),
  rows: z.int(),
  oldest_period: period().nullable(),
  newest_period: period().nullable(),
  last_sync: z.string().nullable().describe('ok, partial, failed or cancelled. Null if there was no sync.'),
  last_sync_at: instant().nullable(),
  error_code: z.string().nullable(),
});

const ConnectionView = z.strictObject({
  id: uuid(),
  name: z.string(),
  source: z.string(),
  status: z.enum(['pending', 'active', 'error', 'disabled']),
  last_successful_sync_at: instant().nullable(),
  scopes: z.array(ScopeStateView),
});

const scopeView = ({ scope, lastAttempt, periods }: StoredScopeCoverage): z.infer<typeof ScopeStateView> => {
  const stored = periods.flatMap(({ period, rows }) => (period !== null && rows > 0 ? [period] : []));
  return {
    scope,
    rows: periods.reduce((sum, { rows }) => sum + rows, 0),
    oldest_period: stored.at(-1) ?? null,
    newest_period: stored[0] ?? null,
    last_sync: lastAttempt?.status ?? null,
    last_sync_at: lastAttempt?.finishedAt ?? null,
    error_code: lastAttempt?.errorCode ?? null,
  };
};

const connectionView = async (agent: Agent, connection: Connection): Promise<z.infer<typeof ConnectionView>> => {
  const coverage = await readCoverage(agent.organizationId, connection.id, readScopes(connection));
  return {
    id: connection.id,
    name: cleanText(connection.name, MCP_LIMITS.agentTextCharsMax),
    source: connection.source,
    status: connection.status,
    last_successful_sync_at: connection.lastSuccessfulSyncAt,
    scopes: coverage.map(scopeView),
  };
};

export const listConnections = defineTool({
  name: 'list_connections',
  title: 'List connections',
  description:
    'Connections to the tax authority (tax) and banks, newest first, with rows, months and last sync of each scope. ' +
    'Begin here. Public procurement has no scopes here.',
  input: z.strictObject({ cursor: cursor() }),
  output: z.strictObject({
    connections: z.array(ConnectionView),
    total: z.int(),
    next_cursor: nextCursor(),
    untrusted_fields: untrusted(),
  }),
  run: async (call, agent) => {
    const all = await connections.list(agent.organizationId);
    const question = buildQuestion(agent, 'list_connections');
    const offset = findStart(call.cursor, question);
    const some = all.slice(offset, offset + MCP_LIMITS.agentConnectionsMax);
    const items = await Promise.all(some.map((connection) => connectionView(agent, connection)));
    return fittingPage({ items, offset, total: all.length }, question, (given, next_cursor) => ({
      connections: [...given],
      total: all.length,
      next_cursor,
      untrusted_fields: ['name'],
    }));
  },
});
