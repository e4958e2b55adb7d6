/** Builds answers with a cursor: as many whole items as fit into an answer. */
import { MCP_LIMITS } from '#shared/mcp/limits.ts';
import { invalid } from './agent-scopes.ts';
import { cursorAt, parseOffset } from './cursor.rules.ts';
import { countBytes, fitting } from './fit.rules.ts';
import type { Agent } from './tool.ts';

/** Everything that decides which items an answer has, including the owner of the items. */
export type PageQuestion = readonly unknown[];

export const buildQuestion = (agent: Agent, tool: string, ...parts: readonly unknown[]): PageQuestion => [
  agent.organizationId,
  tool,
  ...parts.map((part) => part ?? null),
];

/** @throws ApiError a validation error for a cursor of another question */
export const findStart = (cursor: string | undefined, question: PageQuestion): number => {
  if (cursor === undefined) return 0;
  const offset = parseOffset(cursor, question);
  if (offset === null) throw invalid('cursor belongs to another question: repeat its arguments, or leave it out');
  return offset;
};

export interface AnswerSlice<Item> {
  /** Items of the list that begin at `offset`. */
  items: readonly Item[];
  offset: number;
  total: number;
}

/**
 * Returns whole items, beginning with the first, and a cursor for the remaining items. `answer` puts the items into the
 * tool's form.
 */
export const fittingPage = <Item, Answer extends object>(
  { items, offset, total }: AnswerSlice<Item>,
  question: PageQuestion,
  answer: (items: readonly Item[], nextCursor: string | null) => Answer,
): Answer => {
  const emptyBytes = countBytes(answer([], cursorAt(total, question)));
  const given = items.slice(0, fitting(items, emptyBytes, MCP_LIMITS.agentAnswerBytesMax));
  // Without this error, an agent would request the same page forever.
  if (given.length === 0 && items.length > 0) throw new Error('an item is larger than an answer');
  const next = offset + given.length;
  return answer(given, next < total ? cursorAt(next, question) : null);
};
