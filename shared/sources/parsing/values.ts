/** Reads values of answers strictly: an error names the place of an unreadable value, never the value. */
import { type Json, type JsonObject, SourceError } from '../source.ts';

/**
 * Place of a value: the stored answer, and the number of the row in the answer, from 1. Row 0 is the head of the
 * answer.
 */
export interface AnswerPlace {
  answerKey: string;
  row: number;
}

export const unreadable = ({ answerKey, row }: AnswerPlace, field: string, why: string): SourceError =>
  new SourceError('source.unexpected_response', `${answerKey}${row === 0 ? '' : `, row ${row}`}: ${field} ${why}`);

/**
 * Returns the value of a field. Throws when the key is missing: the wire has changed, and reading the field as "empty"
 * would silently lose data.
 */
export const present = (from: JsonObject, field: string, place: AnswerPlace): Json => {
  const value = from[field];
  if (value === undefined) throw unreadable(place, field, 'is missing');
  return value;
};
