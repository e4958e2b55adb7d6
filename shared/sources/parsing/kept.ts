/** Reads stored answers back. */
import type { RawAnswer } from '../source.ts';

/** Returns the answers sorted by the page number of their requests. */
export const inPages = (answers: readonly RawAnswer[]): RawAnswer[] =>
  answers.toSorted((a, b) => Number(a.request.page) - Number(b.request.page));

/**
 * Returns the stored answer with this key. Throws if the pull stored no such answer; `what` names the answer in the
 * error: "the ficha".
 */
export const requireKept = (answers: readonly RawAnswer[], key: string, what: string): RawAnswer => {
  const answer = answers.find((one) => one.key === key);
  if (!answer) throw new Error(`${what} asked for`);
  return answer;
};
