import type { Big } from 'big.js';
import * as z from 'zod';
import {
  AGENT_SCOPES,
  type AgentScope,
  connectionId,
  findScope,
  invalid,
  scopeName,
} from '#shared/mcp/agent-scopes.ts';
import { MCP_LIMITS } from '#shared/mcp/limits.ts';
import { buildQuestion, findStart, fittingPage } from '#shared/mcp/pages.ts';
import { cleanGroup, untrustedFields } from '#shared/mcp/projection.rules.ts';
import { filtersArgument } from '#shared/mcp/search-filters.ts';
import { cursor, defineTool, nextCursor, untrusted } from '#shared/mcp/tool.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { type GroupSums, sumNet } from '#shared/rows/read/period-sums.rules.ts';
import { type SumRequest, sumReadRows, TooMuchToSum } from '#shared/rows/read/sum-rows.store.ts';
import { decimal, period } from '#shared/values/fields.ts';

const amounts = () => z.record(z.string(), decimal());
const group = () => z.record(z.string(), z.string().nullable());

const refuseUnknown = (scope: AgentScope, filters: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(filters))
    if (!scope.facets[name]?.includes(value)) {
      const known = Object.entries(scope.facets).map(([facet, values]) => `${facet} (${values.join(', ')})`);
      throw invalid(`filters of period_totals for ${scope.name} are ${known.join(' and ') || 'none'}`);
    }
};

const plain = (sums: Readonly<Record<string, Big>>): Record<string, string> =>
  Object.fromEntries(Object.entries(sums).map(([field, sum]) => [field, sum.toFixed()]));

const named = (group: Readonly<Record<string, unknown>>) => cleanGroup(group, MCP_LIMITS.agentTextCharsMax);

const groupView = ({ group, isSubtracted, rows, sums, withoutAmount }: GroupSums) => ({
  group: named(group),
  ...(isSubtracted ? { subtracts: true as const } : {}),
  rows,
  sums: plain(sums),
  ...(Object.keys(withoutAmount).length > 0 ? { rows_without: withoutAmount } : {}),
});

const summed = async (wanted: SumRequest): Promise<GroupSums[]> => {
  try {
    return await sumReadRows(wanted);
  } catch (error) {
    if (!(error instanceof TooMuchToSum)) throw error;
    throw invalid(`period has ${error.count} such rows, more than ${ROW_LIMITS.summedRowsMax}: narrow it by filters`);
  }
};

export const periodTotals = defineTool({
  name: 'period_totals',
  title: 'Totals of a month',
  description:
    'Rows and sums of a month as stored, by group (direction, state, type, account, currency). Credit notes are positive ' +
    'and marked subtracts; net subtracts them. Never add up rows yourself.',
  input: z.strictObject({
    connection_id: connectionId(),
    scope: scopeName(),
    period: period().describe('YYYY-MM.'),
    filters: filtersArgument(
      AGENT_SCOPES.flatMap(({ facets }) => Object.keys(facets)),
      z.string(),
      'As for search_rows.',
    ),
    cursor: cursor(),
  }),
  output: z.strictObject({
    period: period(),
    rows: z.int(),
    groups: z.array(
      z.strictObject({
        group: group(),
        subtracts: z.literal(true).optional(),
        rows: z.int(),
        sums: amounts(),
        rows_without: z.record(z.string(), z.int()).optional(),
      }),
    ),
    net: z.array(z.strictObject({ group: group(), sums: amounts() })),
    next_cursor: nextCursor(),
    untrusted_fields: untrusted(),
  }),
  run: async (call, agent) => {
    const { connection, scope } = await findScope(agent, call);
    if (!scope.periodic) throw invalid(`${scope.name} are observations, not amounts of a month: use search_rows`);
    const facets = call.filters ?? {};
    refuseUnknown(scope, facets);
    const question = buildQuestion(
      agent,
      'period_totals',
      connection.id,
      scope.name,
      call.period,
      Object.entries(facets).sort(),
    );
    const offset = findStart(call.cursor, question);
    const address = { organizationId: agent.organizationId, connectionId: connection.id, scope: scope.name };
    const filter = { period: call.period, facets, days: { from: null, to: null } };
    const groups = await summed({ address, scope, filter });
    const net = sumNet(scope.agent, groups).map(({ group, sums }) => ({ group: named(group), sums: plain(sums) }));
    const rows = groups.reduce((sum, each) => sum + each.rows, 0);
    const items = groups.slice(offset).map(groupView);
    return fittingPage({ items, offset, total: groups.length }, question, (given, next_cursor) => ({
      period: call.period,
      rows,
      groups: [...given],
      net,
      next_cursor,
      untrusted_fields: untrustedFields(scope.listRow, scope.agent.groups),
    }));
  },
});
