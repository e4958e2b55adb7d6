/** Kept answers read back. */
import type { RawAnswer } from '../source.ts';

/** By the page that each request asked for. */
export const inPages = (answers: readonly RawAnswer[]): RawAnswer[] =>
  answers.toSorted((a, b) => Number(a.request.page) - Number(b.request.page));

/** The answer of this key, which the pull asked for; `what` names it in words: "the ficha". */
export const requireKept = (answers: readonly RawAnswer[], key: string, what: string): RawAnswer => {
  const answer = answers.find((one) => one.key === key);
  if (!answer) throw new Error(`${what} asked for`);
  return answer;
};
