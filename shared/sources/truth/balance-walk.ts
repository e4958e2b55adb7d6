/**
 * Checks a list with running balances, oldest first: each balance is the previous balance plus the amount. A missing,
 * repeated or changed row breaks the chain (decisions.md §5 "Completeness").
 */
import { Big } from 'big.js';

export interface WalkedRow {
  /** Amount of the movement, with its sign. */
  amount: string;
  /** Balance after the movement. */
  balance: string;
}

export class BalanceWalk {
  private balance: Big | undefined;

  /** If `opening` is undefined, the chain starts with the balance of the first row. */
  constructor(opening?: string) {
    this.balance = opening === undefined ? undefined : new Big(opening);
  }

  /** True if the row's balance is the previous balance plus the row's amount. */
  follows({ amount, balance }: WalkedRow): boolean {
    const expected = this.balance?.plus(amount);
    this.balance = new Big(balance);
    return expected === undefined || expected.eq(this.balance);
  }

  endsAt(closing: string): boolean {
    return this.balance?.eq(closing) ?? true;
  }
}
