/**
 * The arithmetic of a list with running balances, oldest first: each balance is the one before and the amount. A row
 * that is missing, doubled or changed breaks it (decisions.md §5 "Completeness").
 */
import { Big } from 'big.js';

export interface WalkedRow {
  /** Signed. */
  amount: string;
  /** After the movement. */
  balance: string;
}

export class BalanceWalk {
  private balance: Big | undefined;

  /** `opening` undefined: not told, the first row decides. */
  constructor(opening?: string) {
    this.balance = opening === undefined ? undefined : new Big(opening);
  }

  /** Does the row follow from what came before? */
  follows({ amount, balance }: WalkedRow): boolean {
    const expected = this.balance?.plus(amount);
    this.balance = new Big(balance);
    return expected === undefined || expected.eq(this.balance);
  }

  endsAt(closing: string): boolean {
    return this.balance?.eq(closing) ?? true;
  }
}
