/**
 * Reads stored answers back. The pull derives its next request from the stored answers, and the parser derives the
 * rows.
 */
import { accountKey } from '#shared/values/statements.ts';
import { decodeText } from '../http/charset.ts';
import { isObject, parseJson } from '../parsing/bodies.ts';
import { unexpected } from '../parsing/results.ts';
import { type AnswerPlace, present, unreadable } from '../parsing/values.ts';
import type { Json, JsonObject, RawAnswer } from '../source.ts';
import { codeIn } from './envelope.ts';
import { readKey } from './values.ts';

/** Returns the body of a stored answer; null when the portal says that there is no data. */
export const parseBody = (answer: RawAnswer): JsonObject | null => {
  const body = parseJson(decodeText(answer.body));
  if (!isObject(body)) throw unexpected(answer.key, 'the answer is not a JSON object');
  if (codeIn(body) !== 'SIN_DATOS') return body;
  if (Object.values(body).some((value) => Array.isArray(value) && value.length > 0))
    throw unexpected(answer.key, 'says that there is no data, but contains rows');
  return null;
};

/** Returns the rows of a list. Throws when the list is missing. */
export const listIn = (body: JsonObject, field: string, answerKey: string): Json[] => {
  const place: AnswerPlace = { answerKey, row: 0 };
  const list = present(body, field, place);
  if (!Array.isArray(list)) throw unreadable(place, field, 'is not a list');
  return list;
};

type PlacedRow = { raw: JsonObject; place: AnswerPlace };
/** Yields each row of a list with its position in the answer. */
export function* rowsIn(body: JsonObject, field: string, answerKey: string): Generator<PlacedRow> {
  for (const [i, raw] of listIn(body, field, answerKey).entries()) {
    const place: AnswerPlace = { answerKey, row: i + 1 };
    if (!isObject(raw)) throw unreadable(place, 'row', 'is not an object');
    yield { raw, place };
  }
}

/** Throws when the answer is not about the requested account, folio or batch (banks.md part 2). */
export const checkEcho = (body: JsonObject, field: string, asked: string, answerKey: string): void => {
  const place: AnswerPlace = { answerKey, row: 0 };
  if (accountKey(readKey(body, field, place)) !== accountKey(asked))
    throw unreadable(place, field, 'is not the asked one');
};

/** Returns a field of the stored request, which this adapter wrote. */
export const asked = (answer: RawAnswer, field: string): string => {
  const value = answer.request[field];
  if (typeof value !== 'string' || value === '') throw unexpected(answer.key, `no ${field} in the request`);
  return value;
};

/** Converts a day to the form in the portal's addresses: `20261105`. */
export const compact = (day: string): string => day.replaceAll('-', '');
