/** A whole statement file, with the checks that it must pass before any row is accepted (banks.md §3.3). */
import { Big } from 'big.js';
import { addMonths, findLastDay } from '#shared/values/dates.ts';
import { accountKey } from '#shared/values/statements.ts';
import { SourceError } from '../source.ts';
import {
  readHeader,
  readMovement,
  readTrailer,
  type StatementHeader,
  type StatementMovement,
  type StatementTrailer,
} from './statement-records.ts';
import { type LinePlace, latin1, unreadable } from './values.ts';

export interface BankthreeStatement extends StatementHeader {
  /** Movements oldest first, as in the file. */
  movements: StatementMovement[];
  /** Opening and closing balance, as decimals. */
  opening: string;
  closing: string;
  /** Totals of charges and credits from the last line, without signs. */
  charges: string;
  credits: string;
}

const monthOf = (day: string): string => day.slice(0, 7);

const linesOf = (body: Uint8Array): string[] => {
  const lines = latin1(body).split(/\r?\n/);
  while (lines.at(-1)?.trim() === '') lines.pop();
  return lines;
};

/** Reads only the header, which identifies company, account and period. */
export const readFirstLine = (body: Uint8Array, what: string): StatementHeader =>
  readHeader(linesOf(body)[0] ?? '', { what, line: 1 });

/**
 * Returns the statement of a file. Throws if header, trailer, count or arithmetic is wrong, for example in a truncated
 * file.
 */
export const readStatement = (body: Uint8Array, what: string): BankthreeStatement => {
  const lines = linesOf(body);
  const header = readHeader(lines[0] ?? '', { what, line: 1 });
  if (header.isOpen && monthOf(header.from) < addMonths(monthOf(header.to), -1))
    throw unreadable({ what, line: 1 }, 'first day', 'of an open statement is not of this month or the one before');
  const end: LinePlace = { what, line: lines.length };
  const trailer = readTrailer(lines.length > 1 ? lines.at(-1)! : '', end);
  const movements = lines.slice(1, -1).map((line, at) => {
    const place = { what, line: at + 2 };
    if (line[0] !== '2') throw unreadable(place, 'record', 'is of an unknown kind');
    return readMovement(line, header.currency, place);
  });
  if (movements.length !== trailer.movements) throw unreadable(end, 'number of movements', 'is not that of the lines');
  checkDays(header, movements, what);
  checkArithmetic(movements, trailer, what, end);
  const { opening, closing, charges, credits } = trailer;
  const totals = { opening: opening.toFixed(), closing: closing.toFixed() };
  return { ...header, movements, ...totals, charges: charges.toFixed(), credits: credits.toFixed() };
};

/**
 * Throws when a day is outside the statement, because such a day is a misread date. In a closed statement the days are
 * in order.
 */
const checkDays = (
  { from, to, isOpen }: StatementHeader,
  movements: readonly StatementMovement[],
  what: string,
): void => {
  let before = from;
  for (const { day, line } of movements) {
    if (day < from || day > to) throw unreadable({ what, line }, 'date', 'lies outside the statement');
    if (!isOpen && day < before) throw unreadable({ what, line }, 'date', 'is before that of the line above');
    before = day;
  }
};

const checkArithmetic = (
  movements: readonly StatementMovement[],
  { opening, charges, credits, closing }: StatementTrailer,
  what: string,
  end: LinePlace,
): void => {
  let balance = opening;
  let charged = new Big(0);
  let credited = new Big(0);
  for (const { line, tipo, amount, balance: told } of movements) {
    balance = balance.plus(amount);
    if (!balance.eq(told)) throw unreadable({ what, line }, 'balance', 'does not follow from the one before');
    if (tipo === 'C') charged = charged.minus(amount);
    else credited = credited.plus(amount);
  }
  if (!charged.eq(charges)) throw unreadable(end, 'total of charges', 'is not that of the lines');
  if (!credited.eq(credits)) throw unreadable(end, 'total of credits', 'is not that of the lines');
  if (!balance.eq(closing)) throw unreadable(end, 'closing balance', 'does not follow from the opening one');
};

/**
 * Throws when the file is of another company than the connection: the login shows the wrong company, and the owner must
 * correct this (§1.6).
 */
export const checkCompany = ({ company }: StatementHeader, asked: string, what: string): void => {
  if (company === asked) return;
  throw new SourceError('source.wrong_company', `${what}: the statement is of another company`);
};

/** Throws when the account differs from the requested account: "Account as asked" (§3.3). */
export const checkAccount = ({ account }: StatementHeader, asked: string, what: string): void => {
  if (accountKey(account) !== accountKey(asked))
    throw unreadable({ what, line: 1 }, 'account', 'is not the one asked for');
};

/**
 * Returns the position of the statement relative to a month. A statement that continues after the end of a month shows
 * both months.
 */
export const monthSeen = ({ from, to }: StatementHeader, period: string): 'shown' | 'earlier' | 'later' => {
  if (monthOf(to) < period) return 'earlier';
  return monthOf(from) > period ? 'later' : 'shown';
};

/**
 * Throws unless a closed statement is within its month, and the month was over on the day of the answer (decisions.md
 * §5).
 */
export const checkSpan = ({ from, to }: StatementHeader, period: string, today: string, what: string): void => {
  const place: LinePlace = { what, line: 1 };
  if (monthOf(from) !== period) throw unreadable(place, 'first day', 'of a closed statement is not of the month');
  if (monthOf(to) !== period) throw unreadable(place, 'last day', 'of a closed statement is not of the month');
  if (today <= findLastDay(period)) throw unreadable(place, 'state', 'is H, and the month is not over');
};

export const beginsMonth = ({ from }: StatementHeader, period: string): boolean => from === `${period}-01`;
export const endsMonth = ({ to }: StatementHeader, period: string): boolean => to === findLastDay(period);

/** Throws when the file is of another month than the requested month. */
export const checkMonth = (header: StatementHeader, period: string, what: string): void => {
  if (monthOf(header.from) === period && monthOf(header.to) === period) return;
  throw unreadable({ what, line: 1 }, 'first day or last day', 'is of another month');
};
