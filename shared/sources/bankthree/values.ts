/**
 * Reads values of files strictly: an error names the place of an unreadable value, never the value (banks.md part 2,
 * §3.3).
 */
import { Big } from 'big.js';
import { isRealDay } from '#shared/values/dates.ts';
import { unexpected } from '../parsing/results.ts';
import type { SourceError } from '../source.ts';

/** Place of a value: the file ("movements 2025-02, statement/1/closed") and the line in it, from 1. */
export interface LinePlace {
  what: string;
  line: number;
}

export const unreadable = ({ what, line }: LinePlace, field: string, why: string): SourceError =>
  unexpected(`${what}, line ${line}`, `${field} ${why}`);

/** Decodes ISO-8859-1. With another charset, `Ñ` would shift the columns (§3.3). */
export const latin1 = (body: Uint8Array): string =>
  Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');

/** Converts dd/mm/yyyy to YYYY-MM-DD. Throws for a day that does not exist. */
export const readDay = (text: string, field: string, place: LinePlace): string => {
  const match = /^(\d{2})\/(\d{2})\/((?:19|20)\d{2})$/.exec(text);
  const day = match ? `${match[3]}-${match[2]}-${match[1]}` : '';
  if (!isRealDay(day)) throw unreadable(place, field, 'is not a date that exists');
  return day;
};

/** `48000,00`: a comma before two decimals, no separators between thousands (§3.3). */
const PLAIN = /^-?\d{1,15},\d{2}$/;
/** `12.345.678,00`: dots between thousands, or no separators. */
const DOTTED = /^-?(?:\d{1,3}(?:\.\d{3}){1,4}|\d{1,15}),\d{2}$/;

const toBig = (text: string): Big => {
  const amount = new Big(text.replaceAll('.', '').replace(',', '.'));
  // Zero never has a minus sign.
  return amount.s < 0 && amount.eq(0) ? new Big(0) : amount;
};

export const readPlain = (text: string, field: string, place: LinePlace): Big => {
  if (!PLAIN.test(text)) throw unreadable(place, field, 'is not an amount with two decimals');
  return toBig(text);
};

export const readUnsigned = (text: string, field: string, place: LinePlace): Big => {
  if (text.startsWith('-')) throw unreadable(place, field, 'has a sign');
  return readPlain(text, field, place);
};

export const readDotted = (text: string, field: string, place: LinePlace): Big => {
  if (!DOTTED.test(text)) throw unreadable(place, field, 'is not an amount with two decimals');
  return toBig(text);
};

export const readCurrency = (text: string, field: string, place: LinePlace): string => {
  if (!/^[A-Z]{3}$/.test(text)) throw unreadable(place, field, 'is not a currency');
  return text;
};

/**
 * Returns an amount with the decimals of its currency: pesos have no decimals, any other currency has two (part 2). A
 * peso amount with cents means that the assumed number of decimals is wrong.
 */
export const money = (amount: Big, currency: string, field: string, place: LinePlace): string => {
  if (currency !== 'CLP') return amount.toFixed(2);
  const pesos = amount.toFixed();
  if (pesos.includes('.')) throw unreadable(place, field, 'has cents of a peso');
  return pesos;
};
