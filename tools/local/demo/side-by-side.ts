/**
 * Decides whether the demonstration may synchronize every source in parallel. A new AWS account allows only ten
 * concurrent functions, which is too few.
 */
import { type AccountConcurrency, QUOTA, readAccountConcurrency } from '#tools/operations/account-concurrency.ts';

/**
 * Concurrency that the demonstration needs for five sources with fifteen scopes, the API's requests and the webhooks.
 * With less concurrency, the sources are synchronized one after the other.
 */
const ENOUGH = 100;

export interface DemoPace {
  isSideBySide: boolean;
  /** Message for the person who runs the demonstration; null when the concurrency is enough. */
  says: string | null;
}

const inTurn = (why: string): DemoPace => ({ isSideBySide: false, says: `one source after the other: ${why}` });

/** @param api base URL of the deployed API; an API on this machine has no account */
export const findDemoPace = async (
  api: string,
  ask: () => Promise<AccountConcurrency> = readAccountConcurrency,
): Promise<DemoPace> => {
  if (new URL(api).hostname === '127.0.0.1') return { isSideBySide: true, says: null };
  try {
    const { unreserved } = await ask();
    if (unreserved >= ENOUGH) return { isSideBySide: true, says: null };
    return inTurn(`the account has ${unreserved} of ${QUOTA}, below ${ENOUGH}`);
  } catch (error) {
    return inTurn(`the account's concurrency is not known (${(error as Error).message})`);
  }
};
