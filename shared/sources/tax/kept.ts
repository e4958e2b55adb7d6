/** Kept answers read back: the pull decides its next step by them, the parser makes rows of them. */
import { decodeText } from '../http/charset.ts';
import { type JsonObject, type RawAnswer, SourceError } from '../source.ts';
import { parseJson } from './envelope.ts';
import { WORD_BYTES_MAX } from './wire.ts';

export const textOf = (answer: RawAnswer): string => decodeText(answer.body);

export const jsonIn = (text: string, answerKey: string): JsonObject => {
  const body = parseJson(text);
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw new SourceError('source.unexpected_response', `${answerKey}: the answer is not a JSON object`);
};

export const jsonOf = (answer: RawAnswer): JsonObject => jsonIn(textOf(answer), answer.key);

/** An answer that may have rows is not read for the word alone: who reads its rows refuses the word beside them. */
export const isWord = (answer: RawAnswer, isSaid: (body: JsonObject) => boolean): boolean =>
  answer.body.length <= WORD_BYTES_MAX && isSaid(jsonOf(answer));

export const codeOf = (answer: JsonObject): string =>
  String((answer.respEstado as JsonObject | null)?.codRespuesta ?? '').trim();

/** A kept answer of the register or of boletas with code 99 can only be this: any other was refused before it was kept. */
export const isOutOfWindow = (answer: JsonObject): boolean => codeOf(answer) === '99';

/** In the documents' app the same is said by code 1 (tax.md §7.4). */
export const isGuideWindow = (answer: JsonObject): boolean => codeOf(answer) === '1';
