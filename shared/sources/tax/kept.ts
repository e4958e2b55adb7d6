/** Kept answers read back: the pull decides its next step by them, the parser makes rows of them. */
import { decodeText } from '../http/charset.ts';
import { type JsonObject, type RawAnswer, SourceError } from '../source.ts';
import { parseJson } from './envelope.ts';

export const jsonOf = (answer: RawAnswer): JsonObject => {
  const body = parseJson(decodeText(answer.body));
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw new SourceError('source.unexpected_response', `${answer.key}: the answer is not a JSON object`);
};

/** A kept answer with code 99 can only be this: any other was refused before it was kept. */
export const isOutOfWindow = (answer: JsonObject): boolean =>
  String((answer.respEstado as JsonObject | null)?.codRespuesta ?? '').trim() === '99';
