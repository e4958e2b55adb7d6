/** Answers that go on by cursor: whole items, as many as fit. */
import { MCP_LIMITS } from '#shared/mcp/limits.ts';
import { invalid } from './agent-scopes.ts';
import { cursorAt, parseOffset } from './cursor.rules.ts';
import { countBytes, fitting } from './fit.rules.ts';
import type { Agent } from './tool.ts';

/** What decides which items there are; whose they are is part of it. */
export type PageQuestion = readonly unknown[];

export const buildQuestion = (agent: Agent, tool: string, ...parts: readonly unknown[]): PageQuestion => [
  agent.organizationId,
  tool,
  ...parts.map((part) => part ?? null),
];

/** Throws a finding for a cursor of another question. */
export const findStart = (cursor: string | undefined, question: PageQuestion): number => {
  if (cursor === undefined) return 0;
  const offset = parseOffset(cursor, question);
  if (offset === null) throw invalid('cursor belongs to another question: repeat its arguments, or leave it out');
  return offset;
};

export interface AnswerSlice<Item> {
  /** From `offset` on. */
  items: readonly Item[];
  offset: number;
  total: number;
}

/** Whole items from the first on, and where the rest is. `answer` puts them into the tool's form. */
export const fittingPage = <Item, Answer extends object>(
  { items, offset, total }: AnswerSlice<Item>,
  question: PageQuestion,
  answer: (items: readonly Item[], nextCursor: string | null) => Answer,
): Answer => {
  const emptyBytes = countBytes(answer([], cursorAt(total, question)));
  const given = items.slice(0, fitting(items, emptyBytes, MCP_LIMITS.agentAnswerBytesMax));
  // It would be asked for again for ever.
  if (given.length === 0 && items.length > 0) throw new Error('an item is larger than an answer');
  const next = offset + given.length;
  return answer(given, next < total ? cursorAt(next, question) : null);
};
