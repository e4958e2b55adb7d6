/**
 * Reads values of the API strictly: an error names the place of an unreadable value, never the value (banks.md part 2,
 * §3.2).
 */
import { isRealDay } from '#shared/values/dates.ts';
import { normalizeRut } from '#shared/values/rut.ts';
import { santiagoInstant } from '#shared/values/wall-time.ts';
import { isObject } from '../parsing/bodies.ts';
import { type AnswerPlace, present, unreadable } from '../parsing/values.ts';
import type { AnswerKeys, Json, JsonObject } from '../source.ts';
import { isBlank, keeping } from '../truth/watch-keys.ts';

export const readText = (value: Json | undefined, field: string, place: AnswerPlace): string | null => {
  if (isBlank(value)) return null;
  if (typeof value !== 'string') throw unreadable(place, field, 'is not text');
  return value.trim();
};

/** Returns the text of a field, or undefined if the stored value must stay. */
export const keptText = (
  object: JsonObject,
  field: string,
  keys: AnswerKeys,
  place: AnswerPlace,
): string | null | undefined => keeping(keys, isBlank)(object, field, () => readText(object[field], field, place));

export const readKey = (value: Json | undefined, field: string, place: AnswerPlace): string => {
  const text = readText(value, field, place);
  if (text === null) throw unreadable(place, field, 'is missing');
  return text;
};

export const readList = (object: JsonObject, field: string, place: AnswerPlace): JsonObject[] => {
  const value = present(object, field, place);
  if (!Array.isArray(value)) throw unreadable(place, field, 'is not a list');
  return value.map((item, i) => {
    if (!isObject(item)) throw unreadable({ ...place, row: i + 1 }, field, 'is not an object');
    return item;
  });
};

/**
 * Matches fourteen digits, which count hundredths, and the sign after the digits. `+`, a blank or no sign means a
 * positive amount.
 */
const CENTAVOS = /^(\d{14})([-+ ]?)$/;

/**
 * Converts `00000350000000+` to `3500000` for pesos, which have two extra zeros on the wire and no decimals; any other
 * currency gets two decimals. Throws for a peso amount with hundredths, because it means that the assumed scale of all
 * amounts is wrong.
 */
export const parseCentavos = (value: Json, currency: string, field: string, place: AnswerPlace): string => {
  const match = typeof value === 'string' ? CENTAVOS.exec(value) : null;
  if (!match) throw unreadable(place, field, 'is not an amount of 14 digits and a sign');
  const [, digits, sign] = match as unknown as [string, string, string];
  // Zero never has a minus sign.
  const minus = sign === '-' && /[1-9]/.test(digits) ? '-' : '';
  const whole = minus + digits.slice(0, -2).replace(/^0+(?=\d)/, '');
  const hundredths = digits.slice(-2);
  if (currency !== 'CLP') return `${whole}.${hundredths}`;
  if (hundredths !== '00') throw unreadable(place, field, 'has hundredths of a peso');
  return whole;
};

export const readCentavos = (from: JsonObject, field: string, currency: string, place: AnswerPlace): string =>
  parseCentavos(present(from, field, place), currency, field, place);

export const readDay = (from: JsonObject, field: string, place: AnswerPlace): string => {
  const value = present(from, field, place);
  if (typeof value !== 'string' || !isRealDay(value)) throw unreadable(place, field, 'is not a date that exists');
  return value;
};

const INSTANT = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:?\d{2})?$/;

/**
 * Reads an ISO time with any fraction and offset; without an offset it is Santiago time (part 2). Returns UTC with
 * milliseconds.
 */
export const readInstant = (value: Json | undefined, field: string, place: AnswerPlace): string => {
  const fault = () => unreadable(place, field, 'is not an instant that exists');
  const match = typeof value === 'string' ? INSTANT.exec(value.trim()) : null;
  if (!match) throw fault();
  const [, day, hour, minute, second, fraction = '', offset] = match as unknown as string[];
  const [h, m, s] = [Number(hour), Number(minute), Number(second)] as [number, number, number];
  if (!isRealDay(day!) || h > 23 || m > 59 || s > 59) throw fault();
  const millis = fraction.padEnd(3, '0').slice(0, 3);
  if (offset === undefined) return santiagoInstant(day!, h, m, s).replace('.000Z', `.${millis}Z`);
  const zone = offset === 'Z' ? 'Z' : `${offset.slice(0, 3)}:${offset.slice(-2)}`;
  const ms = Date.parse(`${day}T${hour}:${minute}:${second}.${millis}${zone}`);
  if (Number.isNaN(ms)) throw fault();
  return new Date(ms).toISOString();
};

export interface ReadRut {
  rut: string | null;
  /** True if the check digit is wrong. A RUT with a wrong check digit is stored unchanged and reported (part 2). */
  isFaulty: boolean;
}

/** Reads a RUT of 11 characters with leading zeros; all zeros mean that there is no RUT. */
export const readRut = (value: Json | undefined, field: string, place: AnswerPlace): ReadRut => {
  const text = readText(value, field, place);
  if (text === null || /^[0.-]+$/.test(text)) return { rut: null, isFaulty: false };
  if (text.length > 64) throw unreadable(place, field, 'is too long for a RUT');
  const rut = normalizeRut(text);
  return { rut: rut ?? text, isFaulty: rut === undefined };
};
