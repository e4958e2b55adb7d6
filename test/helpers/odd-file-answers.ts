/** Odd answers of banks two and three. Each one is right in itself, like those of bank one (`odd-bank-answers.ts`). */
import type { Lie } from '#test/fakes/lying-wire.ts';
import { inJson, type Json } from './odd-bank-answers.ts';

const TRANSACTIONS = '/transactions';
const ACCOUNTS = '/v1/current-accounts';
const movementsIn = (body: Json): Json[] => (body.movements ?? []) as Json[];
/** `00000350000000+` becomes `00003500000000+`. */
const timesTen = (amount: string): string => `${amount.slice(1, -1)}0${amount.slice(-1)}`;
const dayBefore = (day: string): string => {
  const digits = /^\d{8}$/.test(day) ? `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}` : day;
  const earlier = new Date(Date.parse(`${digits}T12:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
  return digits === day ? earlier : earlier.replaceAll('-', '');
};

export const BANK_TWO: Readonly<Record<string, Lie>> = {
  'days exchanged': inJson(TRANSACTIONS, (body) => {
    for (const row of movementsIn(body)) {
      const { transactionDate, accountingDate } = row;
      const isInMonth = String(transactionDate).slice(0, 7) === String(accountingDate).slice(0, 7);
      if (isInMonth) Object.assign(row, { transactionDate: accountingDate, accountingDate: transactionDate });
    }
  }),
  'accounting days one day earlier': inJson(TRANSACTIONS, (body) => {
    for (const row of movementsIn(body)) {
      const day = String(row.accountingDate);
      if (!/01$/.test(day)) row.accountingDate = dayBefore(day);
    }
  }),
  'account numbers rotated': inJson(ACCOUNTS, (body) => {
    const accounts = body.accounts as Json[];
    const numbers = accounts.map(({ number }) => number);
    accounts.forEach((account, n) => {
      account.number = numbers[(n + 1) % numbers.length];
    });
  }),
  'account numbers masked': inJson(ACCOUNTS, (body) => {
    for (const account of body.accounts as Json[]) account.number = `****${String(account.number).slice(-4)}`;
  }),
  'amounts ten times larger': inJson(TRANSACTIONS, (body) => {
    for (const row of movementsIn(body))
      for (const field of ['movementAmount', 'newBalance']) row[field] = timesTen(String(row[field]));
  }),
};

const oneOf = (row: Json): number => {
  const text = String(row.movementAmount);
  return (text.endsWith('-') ? -1 : 1) * Number(text.slice(0, -1));
};
const centavosText = (value: number, like: string): string =>
  `${String(Math.abs(value)).padStart(like.length - 1, '0')}${value < 0 ? '-' : '+'}`;
const shiftBalance = (row: Json, by: number): void => {
  const text = String(row.newBalance);
  const value = (text.endsWith('-') ? -1 : 1) * Number(text.slice(0, -1));
  row.newBalance = centavosText(value + by, text);
};
/** Only answers on one page: a shorter page would be taken for the last one. */
const onOnePage =
  (change: (rows: Json[]) => Json[]): Lie =>
  (path, asked, answer) =>
    inJson(TRANSACTIONS, (body, { startMovement }) => {
      const rows = movementsIn(body);
      if (rows.length < 6 || rows.length >= 50 || !/^0*$/.test(String(startMovement))) return;
      body.movements = change(rows);
      const exit = body.repositioningExit as Json;
      exit.recordRecover =
        typeof exit.recordRecover === 'string' ? String(movementsIn(body).length) : movementsIn(body).length;
    })(path, asked, answer);

export const BANK_TWO_LISTS: Readonly<Record<string, Lie>> = {
  'an older copy of the month': onOnePage((rows) => rows.slice(Math.floor(rows.length / 2))),
  'only the newer half of the month': onOnePage((rows) => rows.slice(0, Math.floor(rows.length / 2))),
  'one movement left out, with balances that fit': onOnePage((rows) => {
    const by = -oneOf(rows[3]!);
    for (const row of rows.slice(0, 3)) shiftBalance(row, by);
    return rows.filter((_, n) => n !== 3);
  }),
};

const hundredths = (cell: string): bigint => BigInt(cell.trim().replace(',', ''));
const fileCell = (value: bigint): string => {
  const digits = (value < 0n ? -value : value).toString().padStart(3, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -2)},${digits.slice(-2)}`.padStart(18);
};
const signedLine = (line: string): bigint => (line[70] === 'C' ? -1n : 1n) * hundredths(line.slice(72, 90));

/** A statement file with other lines, whose totals fit them. */
const fileWith = (header: string, opening: bigint, lines: readonly string[]): string => {
  let balance = opening;
  const walked = lines.map((line) => {
    balance += signedLine(line);
    return `${line.slice(0, 91)}${fileCell(balance)}${line.slice(109)}`;
  });
  const sum = (kind: string) =>
    lines.filter((line) => line[70] === kind).reduce((total, line) => total + hundredths(line.slice(72, 90)), 0n);
  const totals = [opening, sum('C'), sum('A'), balance].map(fileCell).join('');
  return `${[header, ...walked, `3${String(lines.length).padStart(7, '0')}${totals}${' '.repeat(29)}`].join('\r\n')}\r\n`;
};

const changeFile = (text: string, change: (lines: string[], opening: bigint) => [string[], bigint]): string => {
  const all = text.trimEnd().split('\r\n');
  const [lines, opening] = change(all.slice(1, -1), hundredths(all.at(-1)!.slice(8, 26)));
  return fileWith(all[0]!, opening, lines);
};

/** Changes the statements of bank three whose request contains `asked`. */
const inFile =
  (fecha: string, change: (lines: string[], opening: bigint) => [string[], bigint]): Lie =>
  (_path, asked, { status, body }) =>
    asked.includes(`fecha=${fecha}`) && body.startsWith('1') ? { status, body: changeFile(body, change) } : undefined;

const sumOf = (lines: readonly string[]): bigint => lines.reduce((total, line) => total + signedLine(line), 0n);
const half = (lines: readonly string[]): number => Math.floor(lines.length / 2);

export const BANK_THREE_OPEN: Readonly<Record<string, Lie>> = {
  'no documents': inFile('ACTUAL', (lines, opening) => [
    lines.map((line) => `${line.slice(0, 61)}${' '.repeat(9)}${line.slice(70)}`),
    opening,
  ]),
  'an older copy of the month': inFile('ACTUAL', (lines, opening) => [lines.slice(0, half(lines)), opening]),
  'only the second half of the month': inFile('ACTUAL', (lines, opening) => [
    lines.slice(half(lines)),
    opening + sumOf(lines.slice(0, half(lines))),
  ]),
  'one movement left out, with balances that fit': inFile('ACTUAL', (lines, opening) => [
    lines.filter((_, n) => n !== half(lines)),
    opening,
  ]),
};

export const emptyFiles: Lie = inFile('2026', () => [[], 0n]);
export const secondHalfFile = (month: string): Lie =>
  inFile(month.replace('-', ''), (lines, opening) => [
    lines.slice(half(lines)),
    opening + sumOf(lines.slice(0, half(lines))),
  ]);
