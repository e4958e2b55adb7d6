/** Kept answers read back: the pull decides its next step by them, the parser makes rows of them. */
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

/** An answer that may have rows is not read for the word alone: who reads its rows refuses the word beside them. */
export const isWord = (answer: RawAnswer, isSaid: (body: JsonObject) => boolean): boolean =>
  answer.body.length <= WORD_BYTES_MAX && isSaid(parseJsonAnswer(answer));

export const readAnswerCode = (answer: JsonObject): string =>
  String((answer.respEstado as JsonObject | null)?.codRespuesta ?? '').trim();

/** A kept answer of the register or of boletas with code 99 can only be this: any other was refused before it was kept. */
export const isOutOfWindow = (answer: JsonObject): boolean => readAnswerCode(answer) === '99';

/** In the documents' app the same is said by code 1 (tax.md §7.4). */
export const isGuideWindow = (answer: JsonObject): boolean => readAnswerCode(answer) === '1';

/** "Too old" is said of a whole month: beside an answer of the same month it cannot be true. `answered`: of so many. */
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

/** `202610` of a kept request → `2026-10`. */
export const periodIn = (answerKey: string, written: unknown): string => {
  const month = /^(\d{4})(0[1-9]|1[0-2])$/.exec(String(written));
  if (!month) throw unexpected(answerKey, 'no period in the request');
  return `${month[1]}-${month[2]}`;
};
