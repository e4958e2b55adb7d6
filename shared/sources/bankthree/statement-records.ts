/**
 * Reads the three kinds of lines of a statement file, by position (banks.md §3.3). Characters after position 109 are
 * ignored.
 */
import type { Big } from 'big.js';
import { normalizeRut } from '#shared/values/rut.ts';
import type { JsonObject } from '../source.ts';
import { type LinePlace, money, readCurrency, readDay, readPlain, readUnsigned, unreadable } from './values.ts';

const LINE_CHARS = 109;

/**
 * Returns the characters from `first` to `last`. Both are positions of the wire document, counted from 1 and inclusive.
 */
const columns = (line: string, first: number, last: number): string => line.slice(first - 1, last);
const words = (text: string): string[] => text.split(/ +/).filter((word) => word !== '');

export interface StatementHeader {
  /** RUT of the company that owns the account. */
  company: string;
  /** Account as the file writes it. */
  account: string;
  currency: string;
  /** First and last day of the statement, both inclusive. */
  from: string;
  to: string;
  isOpen: boolean;
}

export const readHeader = (line: string, place: LinePlace): StatementHeader => {
  if (line.length < LINE_CHARS || line[0] !== '1') throw unreadable(place, 'header', 'is missing or short');
  const company = normalizeRut(columns(line, 2, 11));
  if (company === undefined) throw unreadable(place, 'company RUT', 'is not a RUT');
  const account = columns(line, 62, 76).trim();
  if (!/^[\d-]+$/.test(account)) throw unreadable(place, 'account', 'is not a number');
  const currency = readCurrency(columns(line, 77, 79), 'currency', place);
  const from = readDay(columns(line, 80, 89), 'first day', place);
  const to = readDay(columns(line, 90, 99), 'last day', place);
  if (from > to) throw unreadable(place, 'first day', 'is after the last day');
  const state = columns(line, 100, 100);
  if (state !== 'H' && state !== 'P') throw unreadable(place, 'state', 'is neither H nor P');
  return { company, account, currency, from, to, isOpen: state === 'P' };
};

export interface StatementMovement {
  line: number;
  /** YYYY-MM-DD */
  day: string;
  text: string | null;
  document: string | null;
  tipo: 'C' | 'A';
  /** Negative for a charge. */
  amount: Big;
  balance: Big;
  /** Amount and balance as text, with the decimals of the currency. */
  amountText: string;
  balanceText: string;
  /** The line, unchanged. */
  raw: JsonObject;
}

export const readMovement = (line: string, currency: string, place: LinePlace): StatementMovement => {
  const fecha = columns(line, 2, 11);
  const descripcion = columns(line, 12, 61).trim();
  const documento = columns(line, 62, 70).trim();
  const tipo = columns(line, 71, 71);
  if (!/^\d*$/.test(documento)) throw unreadable(place, 'document', 'is not a number');
  if (tipo !== 'C' && tipo !== 'A') throw unreadable(place, 'type', 'is neither C nor A');
  // Column 72 is always `+` and does not give the sign; any other character means that the columns have shifted.
  if (columns(line, 72, 72) !== '+') throw unreadable(place, 'column 72', 'is not +');
  // The wire document describes padded amounts, but a real file separated the amounts by blanks.
  const [monto, saldo, ...more] = words(columns(line, 73, LINE_CHARS));
  if (monto === undefined || saldo === undefined || more.length > 0)
    throw unreadable(place, 'amount and balance', 'are not two numbers');
  const unsigned = readUnsigned(monto, 'amount', place);
  const amount = tipo === 'C' && !unsigned.eq(0) ? unsigned.times(-1) : unsigned;
  const balance = readPlain(saldo, 'balance', place);
  return {
    line: place.line,
    day: readDay(fecha, 'date', place),
    text: descripcion === '' ? null : descripcion,
    document: documento.replace(/^0+/, '') || null,
    tipo,
    amount,
    balance,
    amountText: money(amount, currency, 'amount', place),
    balanceText: money(balance, currency, 'balance', place),
    raw: { fecha, descripcion, documento, tipo, monto, saldo },
  };
};

export interface StatementTrailer {
  movements: number;
  opening: Big;
  charges: Big;
  credits: Big;
  closing: Big;
}

export const readTrailer = (line: string, place: LinePlace): StatementTrailer => {
  if (line[0] !== '3') throw unreadable(place, 'trailer', 'is missing: the file is cut off');
  const count = columns(line, 2, 8);
  const totals = words(columns(line, 9, 80));
  if (!/^\d{7}$/.test(count)) throw unreadable(place, 'number of movements', 'is not a number');
  if (totals.length !== 4) throw unreadable(place, 'totals', 'are not four numbers');
  const [opening, charges, credits, closing] = totals as [string, string, string, string];
  return {
    movements: Number(count),
    opening: readPlain(opening, 'opening balance', place),
    charges: readUnsigned(charges, 'total of charges', place),
    credits: readUnsigned(credits, 'total of credits', place),
    closing: readPlain(closing, 'closing balance', place),
  };
};
