/** A statement as the file of banks.md §3.3 (109 characters per line, CRLF), and the faulty variants of this file. */
import { splitRut } from '#shared/values/rut.ts';
import { slashed } from '../../sandbox-kit/calendar.ts';
import type { Behaviour } from './behaviour.ts';
import type { BookedEntry, StatementView } from './book.ts';

export interface StatementCompany {
  rut: string;
  name: string;
}

/** Writes an amount as `1300000,00`. */
const amountOf = (hundredths: number): string => {
  const sign = hundredths < 0 ? '-' : '';
  const digits = String(Math.abs(hundredths)).padStart(3, '0');
  return `${sign}${digits.slice(0, -2)},${digits.slice(-2)}`;
};
const right = (hundredths: number): string => amountOf(hundredths).padStart(18);

const headerOf = ({ account, from, to, isOpen, number }: StatementView, { rut, name }: StatementCompany): string => {
  const { body, checkDigit } = splitRut(rut);
  return [
    '1',
    `${body}${checkDigit}`.padStart(10, '0'),
    name.padEnd(50).slice(0, 50),
    account.number.padStart(15, '0'),
    account.currency,
    slashed(from),
    slashed(to),
    isOpen ? 'P' : 'H',
    String(isOpen ? 0 : number).padStart(9, '0'),
  ].join('');
};

const movementOf = (entry: BookedEntry, behaviour: Behaviour): string => {
  const { day, text, document, amount, balance } = entry;
  const start = `2${slashed(day)}${text.padEnd(50).slice(0, 50)}${document}${amount < 0 ? 'C' : 'A'}+`;
  const unsigned = Math.abs(amount);
  if (behaviour === 'blank_separated') return `${start} ${amountOf(unsigned)} ${amountOf(balance)}`;
  return `${start}${right(unsigned)} ${right(balance)}`;
};

const trailerOf = ({ entries, opening, closing }: StatementView): string => {
  const sum = (isCharge: boolean): number =>
    entries.reduce((total, { amount }) => total + (amount < 0 === isCharge ? Math.abs(amount) : 0), 0);
  const totals = [opening, sum(true), sum(false), closing].map(right);
  return `3${String(entries.length).padStart(7, '0')}${totals.join('')}${' '.repeat(29)}`;
};

/** Applies a fault to the first movement. */
const spoiled = (line: string, behaviour: Behaviour): string => {
  if (behaviour === 'malformed_row') return `231/02${line.slice(6)}`;
  if (behaviour === 'missing_field') return `${line.slice(0, 72)}${' '.repeat(18)}${line.slice(90)}`;
  if (behaviour === 'bad_arithmetic') return `${line.slice(0, 91)}${right(123_456_789)}`;
  return line;
};

export const statementFile = (view: StatementView, company: StatementCompany, behaviour: Behaviour): Buffer => {
  const movements = view.entries.map((entry) => movementOf(entry, behaviour));
  if (behaviour === 'cut_statement') movements.length = Math.ceil(movements.length / 2);
  if (movements[0] !== undefined) movements[0] = spoiled(movements[0], behaviour);
  const lines = [headerOf(view, company), ...movements, trailerOf(view)];
  const told = behaviour === 'unknown_fields' ? lines.map((line) => `${line}NUEVO 0001,00`) : lines;
  const text = told.map((line) => `${line}\r\n`).join('');
  return Buffer.from(text, behaviour === 'utf8_files' ? 'utf8' : 'latin1');
};
