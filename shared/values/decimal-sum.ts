/** Exact sums of decimals of any scale. */
import { Big } from 'big.js';

export interface Sum {
  add(amount: string): void;
  value(): Big;
}

/** Whole amounts of at most this length are added as numbers, because a number is exact up to 15 digits. */
const EXACT_CHARS_MAX = 15;

export const createSum = (): Sum => {
  let whole = 0;
  let rest = Big(0);
  return {
    add: (amount) => {
      const value = amount.length > EXACT_CHARS_MAX ? Number.NaN : Number(amount);
      if (Number.isInteger(value) && Number.isSafeInteger(whole + value)) whole += value;
      else rest = rest.plus(amount);
    },
    value: () => rest.plus(whole),
  };
};
