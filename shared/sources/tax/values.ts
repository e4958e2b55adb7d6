/**
 * Reads values of the portal strictly (tax.md §4.3, §5, §6.3, §7.3): an error names the place of an unreadable value,
 * never the value.
 */
import { isRealDay } from '#shared/values/dates.ts';
import { normalizeRut } from '#shared/values/rut.ts';
import { santiagoInstant } from '#shared/values/wall-time.ts';
import { unexpected } from '../parsing/results.ts';
import type { AnswerPlace } from '../parsing/values.ts';
import type { Json, JsonObject, SourceError } from '../source.ts';

/**
 * Returns the error for an unreadable value. `place` is one object per answer whose `row` advances; row 0 is the head
 * of the answer.
 */
export const unreadable = ({ answerKey, row }: AnswerPlace, field: string, why: string): SourceError =>
  unexpected(`${answerKey}, row ${row}`, `${field} ${why}`);

const DIGIT_0 = 0x30;
const LETTER_N = 0x4e;
const LETTER_Z = 0x5a;

/**
 * True for a value that means "nothing": null, an empty text, `-` and the literal `null` (§5). A missing field
 * (undefined) also counts as blank, so a caller that needs the difference checks for undefined first.
 */
export const isBlank = (value: unknown): boolean => {
  if (value === null || value === undefined) return true;
  if (typeof value !== 'string') return false;
  // This test is a shortcut: a text that begins with a digit or a capital letter other than `N` is not blank.
  const first = value.charCodeAt(0);
  if (first >= DIGIT_0 && first <= LETTER_Z && first !== LETTER_N) return false;
  const trimmed = value.trim();
  return trimmed === '' || trimmed === '-' || trimmed === 'null' || trimmed === 'NULL';
};

/** Returns the trimmed text, because names may have spaces around them (§5). */
export const readText = (value: unknown, field: string, place: AnswerPlace): string | null => {
  if (isBlank(value)) return null;
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number') return String(value);
  throw unreadable(place, field, 'is neither text nor a number');
};

const PLAIN = /^-?\d{1,18}$/;
const WITH_THOUSANDS = /^-?\d{1,3}(?:\.\d{3}){1,5}$/;

const digitsIn = (text: string): string | undefined => {
  if (PLAIN.test(text)) return text;
  return WITH_THOUSANDS.test(text) ? text.replaceAll('.', '') : undefined;
};

/**
 * Reads an amount in whole pesos, written as number or string, also as `1.234.567`. The sign is the sign on the wire,
 * and an absent amount is zero (§5, §9).
 */
export const readAmount = (value: unknown, field: string, place: AnswerPlace): string => {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value === 0 ? '0' : String(value);
  if (isBlank(value)) return '0';
  const digits = typeof value === 'string' ? digitsIn(value.trim()) : undefined;
  if (digits === undefined) throw unreadable(place, field, 'is not an amount in whole pesos');
  const plain = digits.replace(/^(-?)0+(?=\d)/, '$1');
  return plain === '-0' ? '0' : plain;
};

const DAY = /^(\d{1,2})\/(\d{1,2})\/((?:19|20)\d{2})$/;
const days = new Map<string, string>();

/**
 * Returns the day of a text. Valid days are cached, because a month has thirty days and may have twenty thousand
 * documents.
 */
const toDay = (text: string): string | undefined => {
  const known = days.get(text);
  if (known !== undefined) return known;
  const match = DAY.exec(text);
  if (!match) return undefined;
  const [, day, month, year] = match as unknown as [string, string, string, string];
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (!isRealDay(iso)) return undefined;
  if (days.size > 5000) days.clear();
  days.set(text, iso);
  return iso;
};

/** Converts `DD/MM/AAAA` to YYYY-MM-DD. */
export const readDay = (value: unknown, field: string, place: AnswerPlace): string | null => {
  if (isBlank(value)) return null;
  const day = typeof value === 'string' ? toDay(value.trim()) : undefined;
  if (day === undefined) throw unreadable(place, field, 'is not a date DD/MM/AAAA that exists');
  return day;
};

/** Reads a date that decides the month of a row. Throws when the date is empty. */
export const readGivenDay = (value: unknown, field: string, place: AnswerPlace): string => {
  const day = readDay(value, field, place);
  if (day === null) throw unreadable(place, field, 'is missing');
  return day;
};

const TIME = /^(\d{1,2}):(\d{2}):(\d{2})$/;

/** Converts `DD/MM/AAAA HH:mm:ss` in Santiago to UTC. A date without time means the start of the day. */
export const readInstant = (value: unknown, field: string, place: AnswerPlace): string | null => {
  if (isBlank(value)) return null;
  if (typeof value !== 'string') throw unreadable(place, field, 'is not a date and time');
  const text = value.trim();
  const space = text.indexOf(' ');
  const day = toDay(space < 0 ? text : text.slice(0, space));
  const time = space < 0 ? ['', '0', '0', '0'] : TIME.exec(text.slice(space + 1).trim());
  if (day === undefined || !time) throw unreadable(place, field, 'is not a date and time DD/MM/AAAA HH:mm:ss');
  const [hour, minute, second] = [Number(time[1]), Number(time[2]), Number(time[3])];
  if (hour > 23 || minute > 59 || second > 59) throw unreadable(place, field, 'has a time of day that does not exist');
  return santiagoInstant(day, hour, minute, second);
};

const ruts = new Map<string, string>();

const RUT_SHAPE = /^[\d.\s]*\d[.\s]*-?\s*[\dkK]$/;

/**
 * Converts any usual spelling to `70000001-K`. Throws for an absent RUT, for a text that is not a RUT and for a wrong
 * check digit, because each of these would name another party.
 */
export const readRut = (value: unknown, field: string, place: AnswerPlace): string => {
  if (typeof value !== 'string' || isBlank(value)) throw unreadable(place, field, 'is missing');
  const known = ruts.get(value);
  if (known !== undefined) return known;
  const spelling = value.trim();
  if (spelling.length > 64 || !RUT_SHAPE.test(spelling)) throw unreadable(place, field, 'is not a RUT');
  const rut = normalizeRut(spelling);
  if (rut === undefined) throw unreadable(place, field, 'has a wrong check digit');
  if (ruts.size > 20_000) ruts.clear();
  ruts.set(value, rut);
  return rut;
};

/** Reads a required value, such as folio or document type. Throws when the value is missing. */
export const readKey = (value: unknown, field: string, place: AnswerPlace): string => {
  const text = readText(value, field, place);
  if (text === null) throw unreadable(place, field, 'is missing');
  return text;
};

/**
 * Reads the number of a document without leading zeros, which do not matter. A text that is not a number is returned
 * unchanged.
 */
export const readFolio = (value: unknown, field: string, place: AnswerPlace): string => {
  const key = readKey(value, field, place);
  return /^0\d+$/.test(key) ? key.replace(/^0+(?=\d)/, '') : key;
};

/**
 * Reads an amount like `readAmount`, but returns null for an empty amount: for these fields the wire does not define
 * empty as zero.
 */
export const readAmountOrNull = (value: unknown, field: string, place: AnswerPlace): string | null =>
  isBlank(value) ? null : readAmount(value, field, place);

/** Reads a count, 0 or more, written as number or text. */
export const readCount = (value: unknown, field: string, place: AnswerPlace): number | null => {
  const amount = readAmountOrNull(value, field, place);
  if (amount === null) return null;
  const count = Number(amount);
  if (!Number.isSafeInteger(count) || count < 0) throw unreadable(place, field, 'is not a number of documents');
  return count;
};

const RATE = /^\d{1,3}(?:\.\d{1,6})?$/;

/** Reads a percentage with the decimals that the wire writes. */
export const readRate = (value: unknown, field: string, place: AnswerPlace): string | null => {
  if (isBlank(value)) return null;
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  if (!RATE.test(text)) throw unreadable(place, field, 'is not a rate in per cent');
  return text;
};

/**
 * Returns the value of a field. Throws when the key is missing: the wire has changed, and reading the field as "empty"
 * would silently lose data.
 */
export const present = (raw: JsonObject, field: string, place: AnswerPlace): Json => {
  const value = raw[field];
  if (value === undefined) throw unreadable(place, field, 'is missing');
  return value;
};
