/**
 * Reads the portal's amounts: current answers write `1234.56`, closed statements write dots between thousands (banks.md
 * §3.1). Decimals stay text.
 */
import { type AnswerPlace, unreadable } from '../parsing/values.ts';
import type { JsonObject } from '../source.ts';
import type { StatementBalances } from '../truth/statement-chain.ts';
import { readText } from './values.ts';

/** Number of decimals of each currency (banks.md part 2); an unknown currency may have at most two. */
const DECIMALS: Readonly<Record<string, number>> = { CLP: 0 };
const DECIMALS_MAX = 2;

/** Removes leading zeros and the sign of zero; the number of decimals does not change. */
const tidy = (decimal: string): string => {
  const plain = decimal.replace(/^(-?)0+(?=\d)/, '$1');
  return /^-0(?:\.0+)?$/.test(plain) ? plain.slice(1) : plain;
};

export const negated = (decimal: string): string => tidy(`-${decimal}`);

/** `1.234` is not accepted as an amount, because the point may separate thousands or decimals. */
const PLAIN = /^(-?)(\d{1,18})(?:\.(\d{1,2}))?$/;

const readPlain = (
  from: JsonObject,
  field: string,
  currency: string | null,
  place: AnswerPlace,
): { sign: string; amount: string } | null => {
  const text = readText(from, field, place);
  if (text === null) return null;
  const match = typeof from[field] === 'string' ? PLAIN.exec(text) : null;
  const [, sign = '', , decimals = ''] = match ?? [];
  const decimalsMax = DECIMALS[currency ?? ''] ?? DECIMALS_MAX;
  if (!match || /[1-9]/.test(decimals.slice(decimalsMax))) throw unreadable(place, field, 'is not an amount');
  return { sign, amount: tidy(text) };
};

/** Returns a balance, with a leading `-` when negative. */
export const readBalance = (from: JsonObject, field: string, currency: string, place: AnswerPlace): string | null =>
  readPlain(from, field, currency, place)?.amount ?? null;

/** Returns a balance. Throws when the balance is missing. */
export const requireBalance = (from: JsonObject, field: string, currency: string, place: AnswerPlace): string => {
  const balance = readBalance(from, field, currency, place);
  if (balance === null) throw unreadable(place, field, 'is empty');
  return balance;
};

/** Returns an amount without sign; null when the field is empty. Another field gives the direction. */
export const readUnsigned = (
  from: JsonObject,
  field: string,
  currency: string | null,
  place: AnswerPlace,
): string | null => {
  const read = readPlain(from, field, currency, place);
  if (read !== null && read.sign !== '') throw unreadable(place, field, 'has a sign');
  return read?.amount ?? null;
};

/** Returns an amount. Throws when the amount is missing. */
export const readAmount = (from: JsonObject, field: string, currency: string | null, place: AnswerPlace): string => {
  const amount = readUnsigned(from, field, currency, place);
  if (amount === null) throw unreadable(place, field, 'is empty');
  return amount;
};

/** Thousands are separated by dots or not at all; a comma separates exactly two decimals. */
const DOTTED = /^(-?)(\d{1,3}(?:\.\d{3}){1,5}|\d{1,18})(?:,(\d{2}))?$/;

const readDotted = (from: JsonObject, field: string, place: AnswerPlace): { sign: string; amount: string } | null => {
  const text = readText(from, field, place);
  if (text === null) return null;
  const match = typeof from[field] === 'string' ? DOTTED.exec(text) : null;
  if (!match) throw unreadable(place, field, 'is not an amount of a closed statement');
  const [, sign = '', whole = '', decimals] = match;
  const plain = whole.replaceAll('.', '');
  return { sign, amount: tidy(`${sign}${plain}${decimals === undefined ? '' : `.${decimals}`}`) };
};

export const requireDottedBalance = (from: JsonObject, field: string, place: AnswerPlace): string => {
  const read = readDotted(from, field, place);
  if (read === null) throw unreadable(place, field, 'is empty');
  return read.amount;
};

/** Reads the opening and the closing balance of a closed statement; every page contains both. */
export const readDottedHeads = (body: JsonObject, answerKey: string): StatementBalances => ({
  opening: requireDottedBalance(body, 'saldoInicial', { answerKey, row: 0 }),
  closing: requireDottedBalance(body, 'saldoFinal', { answerKey, row: 0 }),
});

export const readDottedAmount = (from: JsonObject, field: string, place: AnswerPlace): string | null => {
  const read = readDotted(from, field, place);
  if (read !== null && read.sign !== '') throw unreadable(place, field, 'has a sign');
  return read?.amount ?? null;
};
