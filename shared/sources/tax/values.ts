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

/** `place` is one object per answer whose `row` advances; row 0 is the head. */
export const unreadable = ({ answerKey, row }: AnswerPlace, field: string, why: string): SourceError =>
  unexpected(`${answerKey}, row ${row}`, `${field} ${why}`);

const DIGIT_0 = 0x30;
const LETTER_N = 0x4e;
const LETTER_Z = 0x5a;

/** True for empty, `-` and the literal `null` (§5). The caller handles a field that is missing (undefined). */
export const isBlank = (value: unknown): boolean => {
  if (value === null || value === undefined) return true;
  if (typeof value !== 'string') return false;
  // A text that begins with a digit or a capital letter other than `N` is not blank.
  const first = value.charCodeAt(0);
  if (first >= DIGIT_0 && first <= LETTER_Z && first !== LETTER_N) return false;
  const trimmed = value.trim();
  return trimmed === '' || trimmed === '-' || trimmed === 'null' || trimmed === 'NULL';
};

/** The trimmed text: names may have spaces around them (§5). */
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

/** Whole pesos, number or string, `1.234.567` accepted; the sign as on the wire; an absent amount is zero (§5, §9). */
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

/** Caches valid days: a month has thirty days and may have twenty thousand documents. */
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

/** `DD/MM/AAAA` → YYYY-MM-DD. */
export const readDay = (value: unknown, field: string, place: AnswerPlace): string | null => {
  if (isBlank(value)) return null;
  const day = typeof value === 'string' ? toDay(value.trim()) : undefined;
  if (day === undefined) throw unreadable(place, field, 'is not a date DD/MM/AAAA that exists');
  return day;
};

/** A date that decides the month of a row: never empty. */
export const readGivenDay = (value: unknown, field: string, place: AnswerPlace): string => {
  const day = readDay(value, field, place);
  if (day === null) throw unreadable(place, field, 'is missing');
  return day;
};

const TIME = /^(\d{1,2}):(\d{2}):(\d{2})$/;

/** `DD/MM/AAAA HH:mm:ss` in Santiago → UTC instant. A bare date is the start of that day. */
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
 * Converts any usual spelling to `70000001-K`. Throws for an absent RUT, a text or a wrong check digit, because any of
 * them would name another party.
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

/** A required value, such as folio or document type. */
export const readKey = (value: unknown, field: string, place: AnswerPlace): string => {
  const text = readText(value, field, place);
  if (text === null) throw unreadable(place, field, 'is missing');
  return text;
};

/** The number of a document; leading zeros do not matter. A text that is not a number stays unchanged. */
export const readFolio = (value: unknown, field: string, place: AnswerPlace): string => {
  const key = readKey(value, field, place);
  return key.startsWith('0') ? key.replace(/^0+(?=\d+$)/, '') : key;
};

/** Like `readAmount`, but an empty amount is null, where the wire does not define empty as zero. */
export const readAmountOrNull = (value: unknown, field: string, place: AnswerPlace): string | null =>
  isBlank(value) ? null : readAmount(value, field, place);

/** A count, 0 or more, as number or text. */
export const readCount = (value: unknown, field: string, place: AnswerPlace): number | null => {
  const amount = readAmountOrNull(value, field, place);
  if (amount === null) return null;
  const count = Number(amount);
  if (!Number.isSafeInteger(count) || count < 0) throw unreadable(place, field, 'is not a number of documents');
  return count;
};

const RATE = /^\d{1,3}(?:\.\d{1,6})?$/;

/** A percentage, with its scale on the wire. */
export const readRate = (value: unknown, field: string, place: AnswerPlace): string | null => {
  if (isBlank(value)) return null;
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  if (!RATE.test(text)) throw unreadable(place, field, 'is not a rate in per cent');
  return text;
};

/** A missing key means that the wire changed; reading it as "empty" would silently store gaps. */
export const present = (raw: JsonObject, field: string, place: AnswerPlace): Json => {
  const value = raw[field];
  if (value === undefined) throw unreadable(place, field, 'is missing');
  return value;
};
