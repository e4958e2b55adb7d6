/** Reads the CSV of balances by column name (banks.md §3.3). */
import { santiagoInstant } from '#shared/values/wall-time.ts';
import { type LinePlace, latin1, money, readCurrency, readDay, readDotted, unreadable } from './values.ts';

export interface Balance {
  numero_cuenta: string;
  currency: string;
  /** Time of the balance in UTC, with milliseconds. */
  observed_at: string;
  saldo_contable: string | null;
  saldo_disponible: string | null;
}

const COLUMNS = ['CUENTA', 'MONEDA', 'FECHA', 'HORA', 'SALDO CONTABLE', 'SALDO DISPONIBLE'] as const;
type BalanceColumn = (typeof COLUMNS)[number];
type Cells = Record<BalanceColumn, string>;

export interface BalanceLine {
  balance: Balance;
  /** The cells of the line, unchanged. */
  raw: Cells;
}

export const readBalances = (body: Uint8Array, what: string): BalanceLine[] => {
  const text = latin1(body);
  const lines = cellsOf(text);
  // The file has no trailer. If the last line has no line end, it may have lost a cell, and an empty cell would be read
  // as null.
  if (!text.endsWith('\n'))
    throw unreadable({ what, line: lines.length }, 'end of the line', 'is missing: the file is cut off');
  const [header = [], ...data] = lines;
  const at = columnsIn(header, { what, line: 1 });
  const seen = new Map<string, string>();
  return data.map((cells, i) => {
    const place = { what, line: i + 2 };
    if (cells.length < header.length) throw unreadable(place, 'line', 'has fewer cells than the header');
    if (cells.slice(header.length).some((cell) => cell.trim() !== ''))
      throw unreadable(place, 'line', 'has more cells than the header');
    const raw = Object.fromEntries(COLUMNS.map((name) => [name, (cells[at[name]] ?? '').trim()])) as Cells;
    const balance = balanceOf(raw, place);
    checkRepeated(seen, balance, place);
    return { balance, raw };
  });
};

/** Splits the file into lines and cells. Cells are never quoted (banks.md §3.3), so every semicolon ends a cell. */
const cellsOf = (text: string): string[][] =>
  text
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map((line) => line.split(';'));

/**
 * Throws for a missing or a duplicate column: with two equal columns it is unknown which column contains the balance.
 */
const columnsIn = (header: readonly string[], place: LinePlace): Record<BalanceColumn, number> => {
  const names = header.map((name) => name.trim().replaceAll(/\s+/g, ' ').toUpperCase());
  return Object.fromEntries(
    COLUMNS.map((name) => {
      const at = names.indexOf(name);
      if (at < 0) throw unreadable(place, name, 'is missing');
      if (names.lastIndexOf(name) !== at) throw unreadable(place, name, 'is there twice');
      return [name, at];
    }),
  ) as Record<BalanceColumn, number>;
};

const balanceOf = (cells: Cells, place: LinePlace): Balance => {
  const account = cells.CUENTA;
  if (!/^[\d-]{1,30}$/.test(account)) throw unreadable(place, 'CUENTA', 'is not a number');
  const currency = readCurrency(cells.MONEDA, 'MONEDA', place);
  const amount = (name: 'SALDO CONTABLE' | 'SALDO DISPONIBLE'): string | null =>
    cells[name] === '' ? null : money(readDotted(cells[name], name, place), currency, name, place);
  return {
    numero_cuenta: account,
    currency,
    observed_at: observedAt(cells, place),
    saldo_contable: amount('SALDO CONTABLE'),
    saldo_disponible: amount('SALDO DISPONIBLE'),
  };
};

const observedAt = ({ FECHA, HORA }: Cells, place: LinePlace): string => {
  const day = readDay(FECHA, 'FECHA', place);
  const time = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(HORA);
  if (!time) throw unreadable(place, 'HORA', 'is not a time of day');
  return santiagoInstant(day, Number(time[1]), Number(time[2]), Number(time[3] ?? 0));
};

/** Throws when two lines show different balances of one account. Two equal lines count as one balance. */
const checkRepeated = (seen: Map<string, string>, balance: Balance, place: LinePlace): void => {
  const key = `${balance.numero_cuenta} ${balance.currency} ${balance.observed_at}`;
  const told = `${balance.saldo_contable} ${balance.saldo_disponible}`;
  if ((seen.get(key) ?? told) !== told) throw unreadable(place, 'CUENTA', 'is there twice with different balances');
  seen.set(key, told);
};
