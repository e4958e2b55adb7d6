/**
 * Reads stored answers back. The pull derives its next request from the stored answers, and the parser derives the
 * rows.
 */
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
 * True if a small answer says "too old". A large answer has rows and is not checked here; the parser rejects an answer
 * that has rows and says "too old".
 */
export const isWord = (answer: RawAnswer, isSaid: (body: JsonObject) => boolean): boolean =>
  answer.body.length <= WORD_BYTES_MAX && isSaid(parseJsonAnswer(answer));

export const readAnswerCode = (answer: JsonObject): string =>
  String((answer.respEstado as JsonObject | null)?.codRespuesta ?? '').trim();

/**
 * True if a stored answer of the register or of daily receipts says "out of window". Code 99 has this meaning in every
 * stored answer, because the pull does not store an answer with another meaning of code 99.
 */
export const isOutOfWindow = (answer: JsonObject): boolean => readAnswerCode(answer) === '99';

/** True if an answer of the app of issued and received documents says "out of window" by its code 1 (tax.md §7.4). */
export const isGuideWindow = (answer: JsonObject): boolean => readAnswerCode(answer) === '1';

/**
 * Yields a notice and returns true if all answers of the month say "too old". Throws if only some answers of the month
 * say so. `answered` is the number of answers of the month.
 */
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

/** Converts the month of a stored request, such as `202610`, to `2026-10`. */
export const periodIn = (answerKey: string, written: unknown): string => {
  const month = /^(\d{4})(0[1-9]|1[0-2])$/.exec(String(written));
  if (!month) throw unexpected(answerKey, 'no period in the request');
  return `${month[1]}-${month[2]}`;
};
