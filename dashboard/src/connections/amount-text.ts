import { money, moneyIn } from '../text/format.ts';

/** Formats an amount. The currency is shown if it is known and not the peso, such as `USD 1.234,50`. */
export const amountText = (amount: string, currency: string | undefined): string =>
  currency === undefined ? money(amount) : moneyIn(amount, currency);
