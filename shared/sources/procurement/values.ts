/**
 * Reads values of the API and of the web side strictly: an error names the place of an unreadable value, never the
 * value.
 */
import { Big } from 'big.js';
import { isRealDay } from '#shared/values/dates.ts';
import { normalizeRut } from '#shared/values/rut.ts';
import { santiagoInstant } from '#shared/values/wall-time.ts';
import { unexpected } from '../parsing/results.ts';
import type { SourceError } from '../source.ts';
import { WrittenNumber } from './json.ts';

/** Place of a value, such as `ofertas, cuadro/1, row 3`. */
export type FieldPath = string;

export const unreadable = (place: FieldPath, field: string, why: string): SourceError =>
  unexpected(place, `${field} ${why}`);

/** Returns the text; null for an empty field (null or blank text). Throws for an absent field. */
export const readText = (value: unknown, field: string, place: FieldPath): string | null => {
  if (value === undefined) throw unreadable(place, field, 'is missing');
  if (value === null) return null;
  if (value instanceof WrittenNumber) return value.text;
  if (typeof value !== 'string') throw unreadable(place, field, 'is not text');
  const trimmed = value.trim();
  return trimmed === '' ? null : trimmed;
};

/** True for the values by which API and web side say "nothing". */
export const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '');

export const readRequired = (value: unknown, field: string, place: FieldPath): string => {
  const text = readText(value, field, place);
  if (text === null) throw unreadable(place, field, 'is empty');
  return text;
};

/** A date in an earlier year is a placeholder (procurement.md §2.4: 1900). */
const FIRST_YEAR = 1990;

const realDays = new Set<string>();
const REAL_DAYS_MAX = 5_000;

/** True for a day that exists. Valid days are cached, because files and questions of a tender are from a few days. */
const isKnownDay = (day: string): boolean => {
  if (realDays.has(day)) return true;
  if (!isRealDay(day)) return false;
  if (realDays.size >= REAL_DAYS_MAX) realDays.clear();
  realDays.add(day);
  return true;
};

const momentOf = (parts: readonly (string | undefined)[], field: string, place: FieldPath): string | null => {
  const [year = '', month = '', day = '', hour = '0', minute = '0', second = '0', fraction = ''] = parts;
  const date = `${year}-${month}-${day}`;
  if (!isKnownDay(date)) throw unreadable(place, field, 'is a day that does not exist');
  const [h, m, s] = [Number(hour), Number(minute), Number(second)];
  if (h > 23 || m > 59 || s > 59) throw unreadable(place, field, 'has a time of day that does not exist');
  if (Number(year) < FIRST_YEAR) return null;
  const instant = santiagoInstant(date, h, m, s);
  return fraction === '' ? instant : instant.replace(/\.000Z$/, `.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
};

const ISO = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{0,7}))?$/;

/**
 * Converts `2025-03-05T09:58:41.27` to UTC with milliseconds. The time is Santiago time without offset, with 0 to 7
 * decimals (§2.4).
 */
export const readIsoMoment = (value: unknown, field: string, place: FieldPath): string | null => {
  const text = readText(value, field, place);
  if (text === null) return null;
  const match = ISO.exec(text);
  if (!match) throw unreadable(place, field, 'is not a local date and time');
  return momentOf(match.slice(1), field, place);
};

const SHOWN = /^(\d{1,2})-(\d{1,2})-(\d{4})(?:\s+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
export const NO_DATA = /^no hay informaci[oó]n\.?$/i;

/**
 * Converts `20-03-2025 9:00:00`, as pages show it, to UTC. The hour may have one or two digits (§3.1); a date without
 * time means the start of the day.
 */
export const readShownMoment = (value: unknown, field: string, place: FieldPath): string | null => {
  const text = readText(value, field, place);
  if (text === null || NO_DATA.test(text)) return null;
  const match = SHOWN.exec(text);
  if (!match) throw unreadable(place, field, 'is not a date and time');
  const [, day = '', month = '', year, hour, minute, second] = match;
  return momentOf([year, month.padStart(2, '0'), day.padStart(2, '0'), hour, minute, second], field, place);
};

const WRITTEN = /^-?\d{1,21}(?:\.\d{1,12})?(?:[eE][+]?\d{1,2})?$/;
const DIGITS_MAX = 24;

/** Returns the exact text of a JSON number, which is often written `x.0` (§2.4). */
export const readNumber = (value: unknown, field: string, place: FieldPath): string | null => {
  if (value === null) return null;
  if (!(value instanceof WrittenNumber) || !WRITTEN.test(value.text)) throw unreadable(place, field, 'is not a number');
  const plain = new Big(value.text).toFixed();
  if (plain.length > DIGITS_MAX) throw unreadable(place, field, 'is not a sensible amount');
  return plain;
};

export const GROUPED = /^(-?)(\d{1,3}(?:\.\d{3}){0,7}|\d{1,18})(?:,(\d{1,6}))?$/;

const SIGNS: Readonly<Record<string, string>> = { US$: 'USD', $: 'CLP', UF: 'CLF', '€': 'EUR' };
const SIGN = 'US\\$|CLP|CLF|UTM|USD|EUR|UF|\\$|€';
const SIGN_BEFORE = new RegExp(`^(-?)(${SIGN})`, 'i');
const SIGN_AFTER = /(CLP|CLF|UTM|USD|EUR|UF)$/i;

/** Returns the ISO code of a currency sign. A page may also show a code instead of the sign. */
const currencyOf = (sign: string): string => SIGNS[sign.toUpperCase()] ?? sign.toUpperCase();

/**
 * Reads `$ 42.000.000` or `US$ 1.250,50`: currency sign, dots between thousands, a comma before decimals (§3.4). Three
 * digits after a single comma may be decimals or thousands. `currency` is the currency of the tender; null when the
 * page shows no currency.
 */
export const readShownAmount = (
  value: unknown,
  field: string,
  place: FieldPath,
  currency: string | null,
): string | null => {
  const text = readText(value, field, place);
  if (text === null || NO_DATA.test(text)) return null;
  const spaceless = text.replaceAll(/\s+/g, '');
  const signs = [SIGN_BEFORE.exec(spaceless)?.[2], SIGN_AFTER.exec(spaceless)?.[1]].filter(
    (sign) => sign !== undefined,
  );
  if (currency !== null && signs.some((sign) => currencyOf(sign) !== currency))
    throw unreadable(place, field, "is in another currency than the tender's");
  const match = GROUPED.exec(spaceless.replace(SIGN_BEFORE, '$1').replace(SIGN_AFTER, ''));
  if (!match) throw unreadable(place, field, 'is not an amount');
  const [, sign, whole = '', decimals] = match;
  if (decimals?.length === 3 && !whole.includes('.')) throw unreadable(place, field, 'may be thousands or decimals');
  const digits = whole.replaceAll('.', '').replace(/^0+(?=\d)/, '');
  const isZero = /^0*$/.test(digits + (decimals ?? ''));
  return `${isZero ? '' : sign}${digits}${decimals === undefined ? '' : `.${decimals}`}`;
};

/** Reads a RUT. The check digit (modulo 11) must be right, because tender codes look like RUTs (§3.4). */
export const readRut = (value: unknown, field: string, place: FieldPath): string => {
  const rut = normalizeRut(readRequired(value, field, place));
  if (rut === undefined) throw unreadable(place, field, 'is not a RUT');
  return rut;
};

const RUT_SHAPE = /^\d{1,3}(?:\.?\d{3}){0,2}-[\dkK]$/;

/**
 * Returns the RUT of the buying unit as the portal writes it. A wrong check digit is the portal's own mistake, so the
 * RUT is returned unchanged.
 */
export const readBuyerRut = (value: unknown, field: string, place: FieldPath): string | null => {
  const text = readText(value, field, place);
  if (text === null || NO_DATA.test(text)) return null;
  if (!RUT_SHAPE.test(text)) throw unreadable(place, field, 'is not a RUT');
  return text.replaceAll('.', '').toUpperCase();
};
