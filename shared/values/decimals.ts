/**
 * Handles decimals as text. Amounts are never JavaScript numbers, because a number cannot hold 18 digits and cents
 * exactly.
 */
import { Big } from 'big.js';

/**
 * Returns the only spelling of an amount (`1300000.00` becomes `1300000`), for keys that must not depend on the scale.
 */
export const canonicalDecimal = (decimal: string): string => new Big(decimal).toFixed();

const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** True for a text that is a plain decimal. */
export const isDecimal = (value: unknown): value is string => typeof value === 'string' && DECIMAL.test(value);
