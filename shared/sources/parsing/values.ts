/** Values of answers, read strictly: what cannot be read is told by place, never by value. */
import { type Json, type JsonObject, SourceError } from '../source.ts';

/** Where a value stands: the kept answer and the row in it, from 1; row 0 is the head of the answer. */
export interface AnswerPlace {
  answerKey: string;
  row: number;
}

export const unreadable = ({ answerKey, row }: AnswerPlace, field: string, why: string): SourceError =>
  new SourceError('source.unexpected_response', `${answerKey}${row === 0 ? '' : `, row ${row}`}: ${field} ${why}`);

/** A key that is gone means that the wire changed: reading it as "empty" would lose data without anybody noticing. */
export const present = (from: JsonObject, field: string, place: AnswerPlace): Json => {
  const value = from[field];
  if (value === undefined) throw unreadable(place, field, 'is missing');
  return value;
};
