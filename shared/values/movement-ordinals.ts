/**
 * Numbers equal movements. Two equal payments on one day are real (banks.md part 2). If a bank gives its movements no
 * id, only this number distinguishes them (decisions.md §5). Pure.
 */
import { canonicalDecimal } from './decimals.ts';
import { accountKey } from './statements.ts';

/** Returns 0, 1, 2 … for repeated calls with the same values. Call for the oldest movement first. */
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
 * Fields that make two movements without a bank's id equal. Text and balance are excluded, because they differ between
 * statements.
 */
export interface MovementIdentity {
  numero_cuenta: string;
  fecha_movimiento: string | null;
  documento: string | null;
  /** Signed decimal. */
  amount: string | null;
}

/**
 * Ordinals of the movements of one period, oldest first. Different spellings of the account and scales of the amount
 * count as equal, as in the natural key of the scope.
 */
export const createMovementOrdinals = (): ((movement: MovementIdentity) => number) => {
  const ordinals = createOrdinals();
  return ({ numero_cuenta, fecha_movimiento, documento, amount }) =>
    ordinals(accountKey(numero_cuenta), fecha_movimiento, documento, amount === null ? null : canonicalDecimal(amount));
};
