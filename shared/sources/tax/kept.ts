/** Reads stored answers back: the pull decides its next step by them, the parser turns them into rows. */
import { decodeText } from '../http/charset.ts';
import { isObject, parseJson } from '../parsing/bodies.ts';
import { unexpected } from '../parsing/results.ts';
import type { JsonObject, Parsed, RawAnswer } from '../source.ts';
import { WORD_BYTES_MAX } from './wire.ts';

export const decodeAnswer = (answer: RawAnswer): string => decodeText(answer.body);

export const jsonIn = (text: string, answerKey: string): JsonObject => {
  const body = parseJson(text);
  if (isObject(body)) return body;
  throw unexpected(answerKey, 'the answer is not a JSON object');
};

export const parseJsonAnswer = (answer: RawAnswer): JsonObject => jsonIn(decodeAnswer(answer), answer.key);

/**
 * Only small answers are checked for "too old". An answer that may have rows is not; the parser rejects "too old" in an
 * answer with rows.
 */
export const isWord = (answer: RawAnswer, isSaid: (body: JsonObject) => boolean): boolean =>
  answer.body.length <= WORD_BYTES_MAX && isSaid(parseJsonAnswer(answer));

export const readAnswerCode = (answer: JsonObject): string =>
  String((answer.respEstado as JsonObject | null)?.codRespuesta ?? '').trim();

/**
 * In a stored answer of the register or of receipts, code 99 always means "out of window": the pull stores no answer
 * with code 99 of another meaning.
 */
export const isOutOfWindow = (answer: JsonObject): boolean => readAnswerCode(answer) === '99';

/** In the documents' app, code 1 means "out of window" (tax.md §7.4). */
export const isGuideWindow = (answer: JsonObject): boolean => readAnswerCode(answer) === '1';

/** "Too old" applies to a whole month. Throws if only some of the month's `answered` answers say so. */
export function* tellTooOld(
  said: readonly RawAnswer[],
  answered: number,
  told: (first: RawAnswer) => Parsed,
): Generator<Parsed, boolean> {
  const [first] = said;
  if (first === undefined) return false;
  if (said.length < answered) throw unexpected(first.key, 'too old, while others of the month were answered');
  yield told(first);
  return true;
}

/** Converts `202610` of a stored request to `2026-10`. */
export const periodIn = (answerKey: string, written: unknown): string => {
  const month = /^(\d{4})(0[1-9]|1[0-2])$/.exec(String(written));
  if (!month) throw unexpected(answerKey, 'no period in the request');
  return `${month[1]}-${month[2]}`;
};
