import * as z from 'zod';
import { readBalances, readRows } from '#shared/http/lists/read-rows.ts';
import { AGENT_SCOPES, connectionId, findScope, scopeName } from '#shared/mcp/agent-scopes.ts';
import { MCP_LIMITS } from '#shared/mcp/limits.ts';
import { buildQuestion, findStart, fittingPage } from '#shared/mcp/pages.ts';
import { buildSearchQuery, filtersArgument, ownFilters } from '#shared/mcp/search-filters.ts';
import { columnsShown, shownRow } from '#shared/mcp/shown-rows.ts';
import { cursor, defineTool, nextCursor, untrusted } from '#shared/mcp/tool.ts';
import { day, period } from '#shared/values/fields.ts';

/** Filters by scope name. Each name is listed once, because scopes of several banks have the same name. */
const filtersByScope = [
  ...new Set(
    AGENT_SCOPES.flatMap((scope) => {
      const own = ownFilters(scope);
      return own.length > 0 ? [`${scope.name}: ${own.join(', ')}`] : [];
    }),
  ),
].join('; ');

const searched = AGENT_SCOPES.filter(({ search }) => search).map(({ name }) => name);

export const searchRows = defineTool({
  name: 'search_rows',
  title: 'Search rows',
  description:
    'Rows of a scope, newest first, with their exact total under the filters. There may be fewer rows than the limit: an ' +
    'answer is small, and next_cursor leads to the rest. For sums use period_totals.',
  input: z.strictObject({
    connection_id: connectionId(),
    scope: scopeName(),
    period: period().optional().describe('Month, YYYY-MM. Not for balances.'),
    from: day().optional().describe('First day, YYYY-MM-DD, Santiago, inclusive.'),
    to: day().optional().describe('Last day, inclusive.'),
    filters: filtersArgument(
      AGENT_SCOPES.flatMap(ownFilters),
      z.union([z.string(), z.boolean()]),
      `${filtersByScope}. Values: the resource columns.`,
    ),
    text: z
      .string()
      .max(64)
      .optional()
      .describe(`Part of a name, a folio or a RUT; ${searched.join(', ')} only.`),
    fields: z.array(z.string()).min(1).max(40).optional().describe('Columns to return. Default: all.'),
    limit: z.int().min(1).max(MCP_LIMITS.agentRowsMax).default(MCP_LIMITS.agentRowsDefault),
    cursor: cursor(),
  }),
  output: z.strictObject({
    total: z.int(),
    rows: z.array(z.record(z.string(), z.unknown())),
    next_cursor: nextCursor(),
    untrusted_fields: untrusted(),
  }),
  run: async (call, agent) => {
    const { connection, scope } = await findScope(agent, call);
    const shown = columnsShown(scope, call.fields);
    const { period, from, to, text, filters } = call;
    const question = buildQuestion(
      agent,
      'search_rows',
      connection.id,
      scope.name,
      period,
      from,
      to,
      text,
      Object.entries(filters ?? {}).sort(),
    );
    const offset = findStart(call.cursor, question);
    const query = buildSearchQuery(scope, call, { limit: call.limit, offset });
    const input = { caller: agent, params: { id: connection.id }, query };
    const isLatest = query.latest === true;
    const read = scope.name === 'balances' ? await readBalances(scope, input) : await readRows(scope, input);
    // The latest balances are always read completely, so this function cuts the page.
    const rows = isLatest ? read.rows.slice(offset, offset + call.limit) : read.rows;
    return fittingPage(
      { items: rows.map((row) => shownRow(row, shown)), offset, total: read.total },
      question,
      (given, next_cursor) => ({
        total: read.total,
        rows: [...given],
        next_cursor,
        untrusted_fields: shown.untrusted,
      }),
    );
  },
});
