/**
 * Answers one tool call: counts the call, validates input and output by the tool's schemas, limits the size, and logs.
 * An error is also an answer, with the API's code and the next step, so that an agent can correct its call.
 */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { countRead } from '#shared/http/fair-use/limit-reads.ts';
import { judge } from '#shared/http/request/issues.ts';
import { checksAnswers } from '#shared/http/response/answer-check.ts';
import { asReadError, toErrorAnswer } from '#shared/http/response/error-answer.ts';
import { ApiError, type ErrorCode } from '#shared/http/response/errors.ts';
import { MCP_LIMITS } from '#shared/mcp/limits.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import { record } from '#shared/platform/metrics.ts';
import { keys } from '#shared/table/keys.ts';
import { countInMinute, type MinuteQuota, QuotaSpent } from '#shared/table/minute-quota.ts';
import { UUID_PATTERN } from '#shared/values/fields.ts';
import { invalid } from './agent-scopes.ts';
import { countBytes } from './fit.rules.ts';
import type { Agent, Tool } from './tool.ts';

const NEXT: Partial<Record<ErrorCode, string>> = {
  validation_error: 'Correct the named argument and call again.',
  connection_not_found: 'Call list_connections and use one of its ids.',
  rcv_document_not_found: 'Call search_rows and use the id of one of its rows.',
  dispatch_guide_not_found: 'Call search_rows and use the id of one of its rows.',
  cursor_expired: 'Call again without a cursor, and begin with an empty copy.',
  connection_sync_in_progress: 'The month is being written: call again in a minute.',
  temporarily_unavailable: 'The service is busy: call again in a few seconds.',
  rate_limited: 'Wait, then call again; ask for more at once, not more often.',
  internal_error: 'Call again later. If that fails too, tell the user that the service has a fault.',
};

interface CallError {
  code: ErrorCode;
  message: string;
  next: string;
}

/**
 * Counts in one item per organization and minute, with a counter for all calls and a counter for each credential.
 *
 * @throws QuotaSpent
 */
const countCall = ({ organizationId, credentialId }: Agent): Promise<MinuteQuota> =>
  countInMinute((minute) => keys.agentCalls(organizationId, minute), {
    calls: MCP_LIMITS.agentCallsPerOrganizationAndMinute,
    [`of_${credentialId.replaceAll('-', '')}`]: MCP_LIMITS.agentCallsPerMinute,
  });

const tooMany = ({ quota: { seconds } }: QuotaSpent): ApiError =>
  new ApiError(
    'rate_limited',
    `Too many calls this minute: ${MCP_LIMITS.agentCallsPerMinute} for one credential, ` +
      `${MCP_LIMITS.agentCallsPerOrganizationAndMinute} for the organization. The minute ends in ${seconds} s.`,
  );

const errorOf = (thrown: unknown): CallError => {
  // Every tool only reads.
  const { body } = toErrorAnswer(thrown instanceof QuotaSpent ? tooMany(thrown) : asReadError(thrown));
  const { code, message } = (body as { error: { code: ErrorCode; message: string } }).error;
  if (code === 'internal_error') log.error('a call of an agent failed', describeError(thrown));
  return { code, message, next: NEXT[code] ?? 'Tell the user.' };
};

const resultOf = (content: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(content) }],
  structuredContent: content,
});

/**
 * Returns the answer. An answer that is too large is an internal error; outside production, an answer that violates its
 * schema is also an internal error.
 */
const checked = (tool: Tool, answer: Record<string, unknown>): Record<string, unknown> => {
  if (countBytes(answer) > MCP_LIMITS.agentAnswerBytesMax) throw new Error(`an answer of ${tool.name} is too large`);
  if (!checksAnswers()) return answer;
  const { finding } = judge(tool.output, JSON.parse(JSON.stringify(answer)), { noun: 'answer' });
  if (finding !== undefined) throw new Error(`an answer of ${tool.name} does not fit its schema: ${finding}`);
  return answer;
};

const answered = async (tool: Tool, args: unknown, agent: Agent): Promise<Record<string, unknown>> => {
  await countCall(agent);
  const finishRead = countRead({ ...agent, id: agent.credentialId });
  try {
    const judged = judge(tool.input, args ?? {}, { noun: 'arguments' });
    if (judged.finding !== undefined) throw invalid(judged.finding);
    return checked(tool, await tool.run(judged.data as never, agent));
  } finally {
    await finishRead();
  }
};

const connectionIn = (args: unknown): string | undefined => {
  const id = (args as { connection_id?: unknown } | null | undefined)?.connection_id;
  return typeof id === 'string' && UUID_PATTERN.test(id) ? id : undefined;
};

/** Returns the length of the list in an answer; 1 if the answer contains a single item. */
const itemsIn = ({ untrusted_fields: _, ...answer }: Record<string, unknown>): number =>
  (Object.values(answer).find(Array.isArray) as unknown[] | undefined)?.length ?? 1;

/** Answers the call. Never throws: an error is an answer. */
export const answerCall = async (tool: Tool, args: unknown, agent: Agent): Promise<CallToolResult> => {
  const startedMs = nowMs();
  const said = { credential_id: agent.credentialId, tool: tool.name, connection_id: connectionIn(args) };
  record('AgentCalls', 1, { tool: tool.name });
  try {
    const answer = await answered(tool, args, agent);
    const bytes = countBytes(answer);
    log.info('an agent called', { ...said, count: itemsIn(answer), bytes, duration_ms: nowMs() - startedMs });
    return resultOf(answer);
  } catch (thrown) {
    const error = errorOf(thrown);
    record('AgentCallErrors', 1, { code: error.code });
    log.info('a call of an agent ended in an error', { ...said, code: error.code, duration_ms: nowMs() - startedMs });
    return { ...resultOf({ error }), isError: true };
  }
};
