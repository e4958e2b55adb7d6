/**
 * Number among equals. Two equal payments on one day are real (banks.md part 2), and banks that give their movements
 * no id leave nothing else to tell them apart: decisions.md §5. Pure.
 */
import { canonicalDecimal } from './decimals.ts';
import { accountKey } from './statements.ts';

/** Gives 0, 1, 2 … for the same values, in the order in which it is asked: give the oldest first. */
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

/** What makes two movements without a bank's id equal: neither text nor balance, which differ between statements. */
export interface MovementIdentity {
  numero_cuenta: string;
  fecha_movimiento: string | null;
  documento: string | null;
  /** Signed decimal. */
  amount: string | null;
}

/**
 * Ordinals of the movements of one period, oldest first. Spellings of the account and the scale of the amount do not
 * count, as they do not in the natural key of the scope.
 */
export const createMovementOrdinals = (): ((movement: MovementIdentity) => number) => {
  const ordinals = createOrdinals();
  return ({ numero_cuenta, fecha_movimiento, documento, amount }) =>
    ordinals(accountKey(numero_cuenta), fecha_movimiento, documento, amount === null ? null : canonicalDecimal(amount));
};
