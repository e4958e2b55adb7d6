/** Counts and sums of an institution's data. They are compared with the rows that a sync stored. */
import { Big } from 'big.js';

/** Sums are exact decimals without trailing zeros. */
export interface Tally<Field extends string = string> {
  count: number;
  sums: Record<Field, string>;
}

/** `by` divides the period's rows into parts, such as `received` and `issued`. */
export interface PeriodTally<Field extends string = string, Part extends string = string> extends Tally<Field> {
  by: Record<Part, Tally<Field>>;
}

/**
 * Returns the count and the sums of rows. The functions in `amounts` return whole numbers whose last `decimals` digits
 * are decimals. Sums may exceed 2^53.
 */
export const tally = <Row, Field extends string>(
  rows: readonly Row[],
  amounts: Record<Field, (row: Row) => number>,
  decimals = 0,
): Tally<Field> => {
  const sums = Object.entries<(row: Row) => number>(amounts).map(([field, amount]) => {
    const total = rows.reduce((sum, row) => sum + BigInt(amount(row)), 0n);
    return [field, new Big(String(total)).div(10 ** decimals).toFixed()];
  });
  return { count: rows.length, sums: Object.fromEntries(sums) };
};
