/** Reads stored answers back. */
import type { RawAnswer } from '../source.ts';

/** Sorted by the page number of each request. */
export const inPages = (answers: readonly RawAnswer[]): RawAnswer[] =>
  answers.toSorted((a, b) => Number(a.request.page) - Number(b.request.page));

/** The stored answer with this key, which the pull requested; `what` names it in messages: "the ficha". */
export const requireKept = (answers: readonly RawAnswer[], key: string, what: string): RawAnswer => {
  const answer = answers.find((one) => one.key === key);
  if (!answer) throw new Error(`${what} asked for`);
  return answer;
};
