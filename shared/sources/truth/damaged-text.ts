/** Decodes a text even if some bytes are not valid characters, and reports the damage (architecture.md §8, rule 6). */

import { isUtf8 } from 'node:buffer';
import { noticeCode } from '#shared/values/notice-code.ts';
import { damagedCharacters, decodeText } from '../http/charset.ts';
import { notice } from '../parsing/results.ts';
import type { Parsed, PullRequest, RawAnswer } from '../source.ts';

export const damagedNotice = (scope: string, unit: string | null, count: number): Parsed[] => {
  if (count === 0) return [];
  const characters = count === 1 ? '1 character' : `${count} characters`;
  const message = `${unit === null ? '' : `${unit}: `}${characters} came damaged and cannot be read.`;
  return [notice(noticeCode(scope, 'characters_damaged'), message)];
};

const damagedIn = ({ body }: RawAnswer): number => (isUtf8(body) ? 0 : damagedCharacters(decodeText(body)));

/**
 * Returns the results of a parser, and a notice if the answers contain damaged characters. Only for a source whose
 * answers are all decoded by `decodeText`.
 */
export function* withDamageTold(
  source: string,
  { scope, period, tender }: Pick<PullRequest, 'scope' | 'period' | 'tender'>,
  answers: readonly RawAnswer[],
  parsed: Iterable<Parsed>,
): Generator<Parsed> {
  yield* parsed;
  const count = answers.reduce((sum, answer) => sum + damagedIn(answer), 0);
  yield* damagedNotice(`${source}.${scope}`, tender ?? period, count);
}
