/**
 * Movements that only an odd answer showed and that stay stored for a reason (docs/adr/0036). Their month stays partial.
 * Either they leave the balance unchanged together, so that no walk of balances can find them, or the last reading
 * showed no stored movement of the account, so that the next one decides.
 */
import { Big } from 'big.js';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';

const nameOf = ({ numero_cuenta, period, fecha_movimiento, documento, amount }: Row): string =>
  JSON.stringify([numero_cuenta, period, fecha_movimiento, documento, amount]);

/** The common part of a list row and a row of the ledger, without the fields that the service adds. */
export const stripped = (scope: ScopeDefinition, row: Row): string =>
  JSON.stringify(
    Object.keys(scope.parsed.shape)
      .filter((field) => field in scope.listRow.shape)
      .sort()
      .map((field) => [field, row[field] ?? null]),
  );

const groupOf = ({ numero_cuenta, period }: Row): string => `${numero_cuenta}|${period}`;

/** The balances before and after a movement. */
const stepOf = ({ amount, saldo_contable }: Row): string =>
  JSON.stringify([Big(String(saldo_contable)).minus(String(amount)).toFixed(), Big(String(saldo_contable)).toFixed()]);

/** Collects the rows that odd answers showed and the bank does not hold. */
export class Phantoms {
  private readonly shown = new Set<string>();
  /** `account|period` whose last right answer showed no stored movement. */
  private readonly undecided = new Set<string>();

  add(odd: readonly Row[], own: readonly Row[]): void {
    const real = new Set(own.map(nameOf));
    for (const row of odd) if (!real.has(nameOf(row))) this.shown.add(nameOf(row));
  }

  /**
   * Compares a right answer about a month with what is stored of that month.
   * @param stored rows before those of the answer are stored
   */
  decide(right: readonly Row[], stored: readonly Row[]): void {
    const storedBy = Map.groupBy(stored, groupOf);
    for (const [group, rows] of Map.groupBy(right, groupOf)) {
      const before = storedBy.get(group) ?? [];
      const known = new Set(before.flatMap((row) => [nameOf(row), stepOf(row)]));
      const isConfirmed = before.length === 0 || rows.some((row) => known.has(nameOf(row)) || known.has(stepOf(row)));
      if (isConfirmed) this.undecided.delete(group);
      else this.undecided.add(group);
    }
  }

  /**
   * Returns the stored rows that the bank does not hold, of each account and month that has only such rows left and is
   * undecided, or has a sum of zero without a row of zero.
   */
  findLeft(scope: ScopeDefinition, stored: readonly Row[], held: readonly Row[]): Set<Row> {
    const own = new Set(held.map((row) => stripped(scope, row)));
    const leftover = stored.filter((row) => !own.has(stripped(scope, row)));
    const isBalanced = (rows: readonly Row[]): boolean =>
      rows.every(({ amount }) => !Big(String(amount)).eq(0)) &&
      rows.reduce((sum, { amount }) => sum.plus(String(amount)), Big(0)).eq(0);
    const left = [...Map.groupBy(leftover, groupOf)].filter(
      ([group, rows]) =>
        rows.every((row) => this.shown.has(nameOf(row))) && (this.undecided.has(group) || isBalanced(rows)),
    );
    return new Set(left.flatMap(([, rows]) => rows));
  }

  get hasUndecided(): boolean {
    return this.undecided.size > 0;
  }

  isUndecided(row: Row): boolean {
    return this.undecided.has(groupOf(row));
  }
}
