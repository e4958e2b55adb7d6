/**
 * Movements that only an odd answer showed and that together leave the balance unchanged. No walk of balances can find
 * them (docs/adr/0036), so they stay stored, and their month stays partial.
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

/** Collects the rows that odd answers showed and the bank does not hold. */
export class Phantoms {
  private readonly shown = new Set<string>();

  add(odd: readonly Row[], own: readonly Row[]): void {
    const real = new Set(own.map(nameOf));
    for (const row of odd) if (!real.has(nameOf(row))) this.shown.add(nameOf(row));
  }

  /**
   * Returns the stored rows that the bank does not hold, of each account and month that has only such rows left, none
   * of zero, with a sum of zero.
   */
  findBalanced(scope: ScopeDefinition, stored: readonly Row[], held: readonly Row[]): Set<Row> {
    const own = new Set(held.map((row) => stripped(scope, row)));
    const leftover = stored.filter((row) => !own.has(stripped(scope, row)));
    const groups = Map.groupBy(leftover, ({ numero_cuenta, period }) => `${numero_cuenta}|${period}`);
    const balanced = [...groups.values()].filter(
      (rows) =>
        rows.every((row) => this.shown.has(nameOf(row)) && !Big(String(row.amount)).eq(0)) &&
        rows.reduce((sum, { amount }) => sum.plus(String(amount)), Big(0)).eq(0),
    );
    return new Set(balanced.flat());
  }
}
