/**
 * The bank's statements: balances that lead from movement to movement and from month to month, and now and then an odd
 * answer. Computed independently of the service.
 */
import { Big } from 'big.js';
import type { Row } from '#shared/scopes/scope.ts';
import type { Parsed } from '#shared/sources/source.ts';
import { type Random, randomFrom } from '#test/helpers/random.ts';

export const OPENING = '1000';

interface Held {
  period: string | null;
  row: Row;
}

const ownOf = (all: readonly Held[], account: unknown, isWanted: (period: string) => boolean): Held[] =>
  all.filter(({ period, row }) => row.numero_cuenta === account && period !== null && isWanted(period));

const sumOf = (rows: readonly Held[]): Big => rows.reduce((sum, { row }) => sum.plus(String(row.amount)), new Big(0));

/** The balance with which an account's month begins: that with which the months before end. */
export const openingOf = (all: readonly Held[], account: unknown, period: string): string =>
  sumOf(ownOf(all, account, (month) => month < period))
    .plus(OPENING)
    .toFixed();

const byDay = (a: Held, b: Held): number =>
  String(a.row.fecha_movimiento ?? '').localeCompare(String(b.row.fecha_movimiento ?? ''));

/** The rows in their order, each with the balance after it. Within a day the order is that of the ledger. */
export const withBalances = (all: readonly Held[], wanted: readonly Held[]): Row[] => {
  const balances = new Map<Held, string>();
  const months = Map.groupBy(all, ({ period, row }) => JSON.stringify([period, row.numero_cuenta]));
  for (const own of months.values()) {
    const [{ period, row }] = own as [Held, ...Held[]];
    let balance = new Big(openingOf(all, row.numero_cuenta, period ?? ''));
    for (const held of own.toSorted(byDay)) {
      balance = balance.plus(String(held.row.amount));
      balances.set(held, balance.toFixed());
    }
  }
  return wanted.map((held) => ({ ...held.row, saldo_contable: balances.get(held) ?? null }));
};

/** What a bank says about each account of a month. */
export const tellStatements = (all: readonly Held[], period: string, closed: readonly string[]): Parsed[] =>
  [...new Set(all.map(({ row }) => String(row.numero_cuenta)))].map((account) => {
    const rows = ownOf(all, account, (month) => month === period);
    const opening = openingOf(all, account, period);
    const closing = sumOf(rows).plus(opening).toFixed();
    const isOpen = !closed.includes(account);
    return { account: { account, statement: { opening, closing, isOpen, rows: rows.length } } };
  });

/** Odd answers about accounts whose statement is open. Each returns other rows. */
const ODD: readonly ((rows: Row[], random: Random) => Row[])[] = [
  // A row is lost, and the balances do not say so.
  (rows, random) => rows.toSpliced(random.int(0, rows.length - 1), 1),
  // All documents are others.
  (rows) => rows.map((row) => ({ ...row, documento: `7${String(row.documento ?? '')}` })),
  // A movement of zero, at a balance that the account never had.
  (rows, random) => [...rows, { ...random.pick(rows), amount: '0', saldo_contable: '77777', documento: '999' }],
];

const ODD_SHARE = 0.12;

/** Its own chance, so that the other faults of a history stay the same. */
export const createOddAnswers = (seed: number) => {
  const random = randomFrom(seed ^ 0x0dd);
  return (rows: Row[], closed: readonly string[], isCalm: boolean): Row[] => {
    const isOpen = ({ numero_cuenta }: Row) => !closed.includes(String(numero_cuenta));
    const open = rows.filter(isOpen);
    if (isCalm || open.length < 2 || !random.chance(ODD_SHARE)) return rows;
    return [...rows.filter((row) => !isOpen(row)), ...random.pick(ODD)(open, random)];
  };
};
