/**
 * Reads values of the portal strictly (banks.md part 2, §3.1): an error names the place of an unreadable value, never
 * the value.
 */
import { isRealDay } from '#shared/values/dates.ts';
import { normalizeRut } from '#shared/values/rut.ts';
import { santiagoInstant } from '#shared/values/wall-time.ts';
import { type AnswerPlace, present, unreadable } from '../parsing/values.ts';
import type { AnswerKeys, JsonObject } from '../source.ts';
import { isBlank, keeping } from '../truth/watch-keys.ts';

/** Returns the trimmed text; null when empty. A number is returned as text, as the answer writes it. */
export const readText = (from: JsonObject, field: string, place: AnswerPlace): string | null => {
  const value = present(from, field, place);
  if (value === null) return null;
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') throw unreadable(place, field, 'is not a text');
  return value.trim() || null;
};

/** Returns the text of a field, or undefined if the stored value must stay. */
export const keptText = (
  from: JsonObject,
  field: string,
  keys: AnswerKeys,
  place: AnswerPlace,
): string | null | undefined => keeping(keys, isBlank)(from, field, () => readText(from, field, place));

/** Returns a text. Throws when the text is missing. */
export const readKey = (from: JsonObject, field: string, place: AnswerPlace): string => {
  const text = readText(from, field, place);
  if (text === null) throw unreadable(place, field, 'is empty');
  return text;
};

export const readCurrency = (from: JsonObject, field: string, place: AnswerPlace): string => {
  const text = readKey(from, field, place).toUpperCase();
  if (!/^[A-Z]{3}$/.test(text)) throw unreadable(place, field, 'is not a currency');
  return text;
};

/**
 * Returns a document number without leading zeros (banks.md part 2): `000000123456` and `123456` are the same document.
 * All zeros mean no document.
 */
export const readDocument = (from: JsonObject, field: string, place: AnswerPlace): string | null =>
  readText(from, field, place)?.replace(/^0+/, '') || null;

/**
 * Converts any usual spelling of a RUT to `76543210-3`; a foreign or invalid RUT is returned unchanged (banks.md part
 * 2).
 */
export const readRut = (from: JsonObject, field: string, place: AnswerPlace): string | null => {
  const text = readText(from, field, place);
  if (text === null) return null;
  if (text.length > 64) throw unreadable(place, field, 'is too long for a RUT');
  return normalizeRut(text) ?? text;
};

export const readCount = (from: JsonObject, field: string, place: AnswerPlace): number => {
  const value = present(from, field, place);
  const count = typeof value === 'string' && /^\d{1,9}$/.test(value.trim()) ? Number(value) : value;
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0)
    throw unreadable(place, field, 'is not a count');
  return count;
};

const COMPACT_DAY = /^(\d{4})(\d{2})(\d{2})$/;

const toDay = (compact: string): string | undefined => {
  const match = COMPACT_DAY.exec(compact);
  const day = match ? `${match[1]}-${match[2]}-${match[3]}` : '';
  return isRealDay(day) ? day : undefined;
};

/** Converts `yyyymmdd` to YYYY-MM-DD. */
export const readDay = (from: JsonObject, field: string, place: AnswerPlace): string | null => {
  const text = readText(from, field, place);
  if (text === null) return null;
  const day = toDay(text);
  if (day === undefined) throw unreadable(place, field, 'is not a date yyyymmdd that exists');
  return day;
};

/** Converts `dd/mm/yyyy` to YYYY-MM-DD; closed statements write days in this format. */
export const readSlashedDay = (from: JsonObject, field: string, place: AnswerPlace): string => {
  const match = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(readKey(from, field, place));
  const day = match ? `${match[3]}-${match[2]}-${match[1]}` : '';
  if (!isRealDay(day)) throw unreadable(place, field, 'is not a date dd/mm/yyyy that exists');
  return day;
};

export interface Stamp {
  /** Day in Santiago, as the wire writes it. */
  day: string;
  /** The moment of the stamp in UTC. */
  instant: string;
}

/** Converts `yyyymmdd HH:mm:ss` of Santiago; returns undefined for a time that does not exist. */
export const parseStamp = (text: string): Stamp | undefined => {
  const match = /^(\d{8}) (\d{2}):(\d{2}):(\d{2})$/.exec(text);
  const day = match ? toDay(match[1]!) : undefined;
  if (!match || day === undefined) return undefined;
  const [hour, minute, second] = [Number(match[2]), Number(match[3]), Number(match[4])];
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  return { day, instant: santiagoInstant(day, hour, minute, second) };
};

export const readStamp = (from: JsonObject, field: string, place: AnswerPlace): Stamp => {
  const stamp = parseStamp(readKey(from, field, place));
  if (stamp === undefined) throw unreadable(place, field, 'is not a date and time yyyymmdd HH:mm:ss that exists');
  return stamp;
};
