/** The balances as the CSV file of banks.md §3.3, and the faulty variants of this file. */
import { santiagoDay } from '#shared/values/dates.ts';
import { slashed } from '../../sandbox-kit/calendar.ts';
import type { Behaviour } from './behaviour.ts';
import type { BalanceView } from './book.ts';
import { santiagoTime } from './calendar.ts';

/** Writes an amount as `12.345.678,00`. */
const dotted = (hundredths: number): string => {
  const digits = String(Math.abs(hundredths)).padStart(3, '0');
  const whole = digits.slice(0, -2).replaceAll(/\B(?=(?:\d{3})+$)/g, '.');
  return `${hundredths < 0 ? '-' : ''}${whole},${digits.slice(-2)}`;
};

const HEADER = ['CUENTA', 'MONEDA', 'FECHA', 'HORA', 'SALDO CONTABLE', 'SALDO DISPONIBLE'];

export const balancesFile = (balances: readonly BalanceView[], nowMs: number, behaviour: Behaviour): Buffer => {
  const day = slashed(santiagoDay(nowMs));
  const time = santiagoTime(nowMs);
  const data = balances.map(({ account, book, available }, at) => [
    account.number,
    account.currency,
    day,
    time,
    behaviour === 'malformed_row' && at === 0 ? 'Sin información' : dotted(book),
    available === null ? '' : dotted(available),
  ]);
  if (behaviour === 'duplicate_rows') data.push(data[0]!);
  const lines = [HEADER, ...data].map((cells, at) => {
    if (behaviour === 'missing_field') return cells.slice(0, -1);
    return behaviour === 'unknown_fields'
      ? [at === 0 ? 'EJECUTIVA' : 'SOFÍA NÚÑEZ', ...cells, at === 0 ? 'SOBREGIRO' : '1,5']
      : cells;
  });
  // The file must begin with `CUENTA;`, so the additional column is the last column.
  const ordered = behaviour === 'unknown_fields' ? lines.map(([first, ...rest]) => [...rest, first!]) : lines;
  return Buffer.from(ordered.map((cells) => `${cells.join(';')}\r\n`).join(''), 'latin1');
};
