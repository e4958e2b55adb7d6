import * as z from 'zod';
import { AGENT_SCOPES, connectionId, findConnection } from '#shared/mcp/agent-scopes.ts';
import { findGaps, type ScopeState } from '#shared/mcp/gaps.rules.ts';
import { MCP_LIMITS } from '#shared/mcp/limits.ts';
import { buildQuestion, findStart, fittingPage } from '#shared/mcp/pages.ts';
import { cursor, defineTool, nextCursor, untrusted } from '#shared/mcp/tool.ts';
import { cleanText } from '#shared/mcp/untrusted-text.rules.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { readCoverage, type StoredScopeCoverage } from '#shared/sync/coverage/read-coverage.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { isDone, type SyncRun } from '#shared/sync/run.rules.ts';
import { instant, period } from '#shared/values/fields.ts';

const HOUR_MS = 3_600_000;

const GapView = z.strictObject({
  scope: z.string().nullable(),
  code: z.string(),
  periods: z.array(period()),
  further_periods: z.int().describe('Number of further months.'),
  who: z.enum(['owner', 'source', 'us', 'nobody']).describe('Who can act.'),
  what_to_do: z.string(),
  detail: z.string().nullable(),
  since: instant().nullable(),
});

/**
 * Returns the state of a scope, from its coverage and its outcomes in the newest runs.
 * @param newest newest runs, newest first
 */
const stateOf = (
  { scope, lastAttempt, lastSuccessAt, periods }: StoredScopeCoverage,
  newest: readonly SyncRun[],
): ScopeState => {
  const outcomes = newest.flatMap((run) => (run.outcomes[scope] ? [{ run, outcome: run.outcomes[scope] }] : []));
  const last = outcomes.find(({ outcome }) => isDone(outcome))?.outcome;
  return {
    lastAttempt,
    lastSuccessAt,
    months: periods,
    message: last?.errorMessage ?? null,
    notices: last?.notices ?? [],
    isUnderWay: outcomes.some(({ run, outcome }) => run.finishedAt === null && !isDone(outcome)),
  };
};

export const explainGaps = defineTool({
  name: 'explain_gaps',
  title: 'Explain gaps',
  description:
    'What is missing, failed, stale or does not tie out in a connection: code, months, who can act, what to do. Empty if ' +
    'nothing is known to be missing.',
  input: z.strictObject({ connection_id: connectionId(), cursor: cursor() }),
  output: z.strictObject({
    gaps: z.array(GapView),
    total: z.int(),
    next_cursor: nextCursor(),
    untrusted_fields: untrusted(),
  }),
  run: async (call, agent) => {
    const { organizationId } = agent;
    const connection = await findConnection(agent, call.connection_id);
    const scopes = AGENT_SCOPES.filter(({ source }) => source === connection.source);
    const [newest, coverage] = await Promise.all([
      runs.listNewest(organizationId, connection.id, SYNC_LIMITS.runsListed),
      readCoverage(organizationId, connection.id, scopes),
    ]);
    const gaps = findGaps({
      connection,
      scopes: Object.fromEntries(coverage.map((each) => [each.scope, stateOf(each, newest)])),
      nowMs: nowMs(),
      staleMs: MCP_LIMITS.agentStaleHours * HOUR_MS,
    }).map((gap) => ({
      ...gap,
      detail: gap.detail === null ? null : cleanText(gap.detail, MCP_LIMITS.agentTextCharsMax),
    }));
    const question = buildQuestion(agent, 'explain_gaps', connection.id);
    const offset = findStart(call.cursor, question);
    return fittingPage({ items: gaps.slice(offset), offset, total: gaps.length }, question, (given, next_cursor) => ({
      gaps: [...given],
      total: gaps.length,
      next_cursor,
      untrusted_fields: ['detail'],
    }));
  },
});
