/** Decimals as text. Amounts are never numbers, because 18 digits and cents do not fit into one. */
import { Big } from 'big.js';

/** One spelling per amount (`1300000.00` and `1300000` are equal), for keys that must not depend on the scale. */
export const canonicalDecimal = (decimal: string): string => new Big(decimal).toFixed();
