import * as z from 'zod';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import { findChanges } from '#shared/http/lists/changes.ts';
import { toChange } from '#shared/http/views/change.ts';
import {
  AGENT_SCOPES,
  type AgentScope,
  connectionId,
  findConnection,
  findScope,
  invalid,
  scopeName,
} from '#shared/mcp/agent-scopes.ts';
import { countBytes, fitting } from '#shared/mcp/fit.rules.ts';
import { MCP_LIMITS } from '#shared/mcp/limits.ts';
import { columnsShown, fieldsShown, shownRow } from '#shared/mcp/shown-rows.ts';
import { type Agent, defineTool, untrusted } from '#shared/mcp/tool.ts';
import type { ChangesRequest } from '#shared/rows/read/read-changes.store.ts';
import type { RowChange } from '#shared/rows/read/read-round.store.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { instant, period, uuid } from '#shared/values/fields.ts';

const ChangeShown = z.strictObject({
  change: z.enum(['created', 'updated', 'deleted']),
  scope: z.string(),
  id: uuid(),
  period: period().nullable(),
  row: z.record(z.string(), z.unknown()).nullable().describe('Null: deleted.'),
  key: z.record(z.string(), z.unknown()).nullable().describe('Identifying fields of a deleted row.'),
  changed_at: instant().nullable(),
});

/** Largest row in an answer. The remaining bytes are for the cursor, which is the longest cursor of all tools. */
const ROW_BYTES_MAX = MCP_LIMITS.agentAnswerBytesMax - HTTP_LIMITS.cursorCharsMax - 2_048;

/** Returns the scopes of the connection's source. */
const scopesRead = async (
  agent: Agent,
  call: { connection_id: string; scope?: string | undefined },
): Promise<AgentScope[]> => {
  const { connection_id, scope } = call;
  if (scope !== undefined) return [(await findScope(agent, { connection_id, scope })).scope];
  const { source } = await findConnection(agent, connection_id);
  const scopes = AGENT_SCOPES.filter((each) => each.source === source);
  if (scopes.length === 0) throw invalid(`connection_id: agents read nothing of ${source}`);
  return scopes;
};

interface ShownChange {
  view: z.infer<typeof ChangeShown>;
  untrusted: string[];
}

const told = (change: RowChange, scope: AgentScope): ShownChange => {
  const { change: kind, id, period, row, key, changed_at } = toChange(change);
  const columns = columnsShown(scope, undefined);
  const keyFields = fieldsShown(scope, Object.keys(key ?? {}));
  return {
    view: {
      change: kind,
      scope: scope.name,
      id,
      period,
      row: row && shownRow(row as Row, columns, ROW_BYTES_MAX),
      key: key && shownRow(key, keyFields, ROW_BYTES_MAX),
      changed_at,
    },
    untrusted: [...columns.untrusted, ...keyFields.untrusted],
  };
};

/**
 * Returns as many changes as fit. The cursor of the feed points to the end of a page, so a smaller page must be read
 * again.
 */
const readFitting = async (request: ChangesRequest, scopes: readonly AgentScope[]) => {
  const { changes, nextCursor, hasMore } = await findChanges(request);
  const all = changes.flatMap((change) => {
    const scope = scopes.find(({ name }) => name === change.scope);
    return scope ? [told(change, scope)] : [];
  });
  const answer = {
    changes: all.map(({ view }) => view),
    next_cursor: nextCursor,
    has_more: hasMore,
    untrusted_fields: [...new Set(all.flatMap(({ untrusted }) => untrusted))],
  };
  const fit = fitting(answer.changes, countBytes({ ...answer, changes: [] }), MCP_LIMITS.agentAnswerBytesMax);
  return fit === all.length ? { answer } : { limit: Math.max(fit, 1) };
};

export const changesSince = defineTool({
  name: 'changes_since',
  title: 'Changes since a cursor',
  description:
    'Rows created, updated or deleted since next_cursor of an earlier answer, each at least once; without a cursor every ' +
    'row. Store next_cursor for the next time; continue at once while has_more.',
  input: z.strictObject({
    connection_id: connectionId(),
    scope: scopeName().optional(),
    cursor: z.string().min(1).max(HTTP_LIMITS.cursorCharsMax).optional(),
    limit: z.int().min(1).max(MCP_LIMITS.agentRowsMax).default(MCP_LIMITS.agentRowsDefault),
  }),
  output: z.strictObject({
    changes: z.array(ChangeShown),
    next_cursor: z.string(),
    has_more: z.boolean(),
    untrusted_fields: untrusted(),
  }),
  run: async (call, agent) => {
    const scopes = await scopesRead(agent, call);
    const request = {
      organizationId: agent.organizationId,
      connectionId: call.connection_id.toLowerCase(),
      filter: call.scope ?? null,
      cursor: call.cursor ?? null,
    };
    for (let limit = call.limit; ; ) {
      const read = await readFitting({ ...request, limit }, scopes);
      if (read.answer) return read.answer;
      limit = read.limit;
    }
  },
});
