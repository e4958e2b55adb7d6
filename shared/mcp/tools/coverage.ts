import * as z from 'zod';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import { Figure, toScopeCoverage } from '#shared/http/views/coverage.ts';
import {
  AGENT_SCOPES,
  type AgentScope,
  connectionId,
  findConnection,
  invalid,
  readScopes,
} from '#shared/mcp/agent-scopes.ts';
import { MCP_LIMITS } from '#shared/mcp/limits.ts';
import { buildQuestion, findStart, fittingPage } from '#shared/mcp/pages.ts';
import { cleanGroup, untrustedFields } from '#shared/mcp/projection.rules.ts';
import { cursor, defineTool, nextCursor, untrusted } from '#shared/mcp/tool.ts';
import { readCoverage, type StoredScopeCoverage } from '#shared/sync/coverage/read-coverage.ts';
import { instant, period } from '#shared/values/fields.ts';

const MonthView = z.strictObject({
  scope: z.string(),
  period: period().nullable().describe('Null for balances.'),
  rows: z.int(),
  state: z.enum(['complete', 'partial', 'never']),
  reason: z.string().nullable(),
  is_open: z.boolean(),
  as_of: instant().nullable(),
  verdict: z.enum(['equal', 'differs', 'not_told']),
  differences: z.array(Figure),
});

/**
 * Returns a month for agents. Names are shortened so that ten differences and their groups always fit into an answer.
 */
const monthView = (
  scope: string,
  { differences, ...month }: ReturnType<typeof toScopeCoverage>['periods'][number],
): z.infer<typeof MonthView> => ({
  scope,
  ...month,
  differences: differences.map((each) => ({
    ...each,
    group: cleanGroup(each.group, MCP_LIMITS.agentShortTextCharsMax) as Record<string, string>,
  })),
});

/** Returns the names in the groups of differences whose text a third party wrote. */
const untrustedIn = (scope: AgentScope, { periods }: StoredScopeCoverage): string[] =>
  untrustedFields(
    scope.listRow,
    periods.flatMap(({ differences }) => differences.flatMap(({ group }) => Object.keys(group))),
  );

export const coverage = defineTool({
  name: 'coverage',
  title: 'Coverage and tie-out',
  description:
    'For each scope and month: rows, whether it is complete, when it was read, and whether the rows add up to the totals ' +
    'that the institution reports, with the figures that differ. Check it before you call a month complete.',
  input: z.strictObject({
    connection_id: connectionId(),
    scopes: z
      .array(z.string())
      .min(1)
      .max(HTTP_LIMITS.scopesPerSourceMax)
      .optional()
      .describe('Default: all enabled scopes.'),
    months: z.array(period()).min(1).max(36).optional().describe('YYYY-MM. Default: all known months.'),
    cursor: cursor(),
  }),
  output: z.strictObject({
    months: z.array(MonthView),
    total: z.int(),
    next_cursor: nextCursor(),
    untrusted_fields: untrusted(),
  }),
  run: async (call, agent) => {
    const connection = await findConnection(agent, call.connection_id);
    const ofSource = AGENT_SCOPES.filter(({ source }) => source === connection.source);
    const known = ofSource.map(({ name }) => name);
    if (call.scopes?.some((name) => !known.includes(name)))
      throw invalid(`scopes must be of ${known.join(', ') || 'none'}`);
    const wanted = call.scopes ? ofSource.filter(({ name }) => call.scopes!.includes(name)) : readScopes(connection);
    const question = buildQuestion(agent, 'coverage', connection.id, call.scopes, call.months);
    const offset = findStart(call.cursor, question);
    const read = await readCoverage(agent.organizationId, connection.id, wanted);
    const all = read
      .map(toScopeCoverage)
      .flatMap(({ scope, periods }) =>
        periods
          .filter((month) => call.months === undefined || month.period === null || call.months.includes(month.period))
          .map((month) => monthView(scope, month)),
      );
    const untrusted_fields = [...new Set(wanted.flatMap((scope, at) => untrustedIn(scope, read[at]!)))];
    return fittingPage({ items: all.slice(offset), offset, total: all.length }, question, (months, next_cursor) => ({
      months: [...months],
      total: all.length,
      next_cursor,
      untrusted_fields,
    }));
  },
});
