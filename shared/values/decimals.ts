/** Decimals as text. Amounts are never numbers: 18 digits and cents do not fit one. */
import { Big } from 'big.js';

/** `1300000.00` and `1300000` are the same amount: one spelling, for keys that must not depend on the scale. */
export const canonicalDecimal = (decimal: string): string => new Big(decimal).toFixed();
