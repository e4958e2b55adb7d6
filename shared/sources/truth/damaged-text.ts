/**
 * Reports damaged text of answers (architecture.md §8, rule 6): bytes that are not valid characters, characters that the
 * institution itself lost, text that was encoded twice, and HTML entities in JSON.
 */

import { isUtf8 } from 'node:buffer';
import { countDamage, countEntities } from '#shared/values/damaged-forms.ts';
import { noticeCode } from '#shared/values/notice-code.ts';
import { beginWithUnit, monthUnit, type ReadUnit } from '#shared/values/notice-params.ts';
import { decodeText } from '../http/charset.ts';
import { notice } from '../parsing/results.ts';
import type { Parsed, PullRequest, RawAnswer } from '../source.ts';

export const damagedNotice = (scope: string, unit: ReadUnit, count: number): Parsed[] => {
  if (count === 0) return [];
  const characters = count === 1 ? '1 character' : `${count} characters`;
  const message = `${beginWithUnit(unit)}${characters} came damaged and cannot be read.`;
  return [notice(noticeCode(scope, 'characters_damaged'), message, { ...unit, count })];
};

/** Bytes of UTF-8 without which an answer cannot be damaged: U+FFFD, the signs of text that was encoded twice, and escapes. */
const SIGNS = ['\uFFFD', '\u00C2', '\u00C3', '\u00E2', '\\u', '&'].map((sign) => Buffer.from(sign));
const JSON_BODY = /^\s*[[{]/;

interface DamageRequest extends Pick<PullRequest, 'scope' | 'period' | 'tender'> {
  /** True if the parser decodes the HTML entities of JSON texts, because the institution writes them. */
  decodesEntities?: boolean;
}

const damagedIn = ({ body }: RawAnswer, { decodesEntities = false }: DamageRequest): number => {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (isUtf8(body) && !SIGNS.some((sign) => bytes.includes(sign))) return 0;
  const text = decodeText(body);
  return countDamage(text) + (decodesEntities || !JSON_BODY.test(text) ? 0 : countEntities(text));
};

/**
 * Returns the results of a parser, and a notice if the answers contain damaged characters. Only for a source whose
 * answers are all decoded by `decodeText`.
 */
export function* withDamageTold(
  source: string,
  request: DamageRequest,
  answers: readonly RawAnswer[],
  parsed: Iterable<Parsed>,
): Generator<Parsed> {
  yield* parsed;
  const { scope, period, tender } = request;
  const count = answers.reduce((sum, answer) => sum + damagedIn(answer, request), 0);
  yield* damagedNotice(`${source}.${scope}`, tender === undefined ? monthUnit(period) : { tender }, count);
}
