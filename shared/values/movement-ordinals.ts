/**
 * Numbers equal movements. A bank may show two equal payments on one day, and both are real (banks.md part 2). If a
 * bank gives its movements no id, only this number distinguishes them (decisions.md §5). Pure.
 */
import { canonicalDecimal } from './decimals.ts';
import { accountKey } from './statements.ts';

/** Returns 0, 1, 2 … for repeated calls with the same values. The first call must be for the oldest movement. */
export type Ordinals = (...identity: readonly (string | null)[]) => number;

export const createOrdinals = (): Ordinals => {
  const seen = new Map<string, number>();
  return (...identity) => {
    const key = JSON.stringify(identity);
    const ordinal = seen.get(key) ?? 0;
    seen.set(key, ordinal + 1);
    return ordinal;
  };
};

/**
 * Fields that decide whether two movements without a bank's id are equal. Text and balance are excluded, because they
 * differ between statements.
 */
export interface MovementIdentity {
  numero_cuenta: string;
  fecha_movimiento: string | null;
  documento: string | null;
  /** Signed decimal. */
  amount: string | null;
}

/**
 * Returns a function that numbers the movements of one period, oldest first. Different spellings of the account and
 * scales of the amount count as equal, as in the natural key of the scope.
 */
export const createMovementOrdinals = (): ((movement: MovementIdentity) => number) => {
  const ordinals = createOrdinals();
  return ({ numero_cuenta, fecha_movimiento, documento, amount }) =>
    ordinals(accountKey(numero_cuenta), fecha_movimiento, documento, amount === null ? null : canonicalDecimal(amount));
};
