/** Accounts that a bank listed before and lists no more, or not in each of its lists: told, and what is stored is kept. */
import type { KnownAccounts } from '#shared/domain/known-accounts.ts';
import { accountKey } from '#shared/domain/statements.ts';
import type { Parsed } from '../source.ts';

/** A second list of the same accounts: "the file of balances". */
export interface OtherList {
  name: string;
  accounts: Iterable<string>;
}

const countOf = (n: number): string => (n === 1 ? '1 account' : `${n} accounts`);

/** One notice, or none. */
export const tellGoneAccounts = (
  source: string,
  listed: Iterable<string>,
  known: KnownAccounts | undefined,
  other?: OtherList,
): Parsed[] => {
  const own = new Set([...listed].map(accountKey));
  const others = new Set([...(other?.accounts ?? own)].map(accountKey));
  const before = known?.accounts ?? [];
  const gone = before.filter((account) => !own.has(account) && !others.has(account)).length;
  const onlyHere = [...own].filter((account) => !others.has(account)).length;
  const onlyThere = [...others].filter((account) => !own.has(account)).length;
  const parts = [
    ...(gone > 0 ? [`${countOf(gone)} of ${before.length} that the bank listed before are not listed now.`] : []),
    ...(onlyHere > 0 ? [`${countOf(onlyHere)} of the bank's list are not in ${other?.name}.`] : []),
    ...(onlyThere > 0 ? [`${countOf(onlyThere)} of ${other?.name} are not in the bank's list.`] : []),
  ];
  if (parts.length === 0) return [];
  return [
    { notice: { code: `${source}.accounts_gone`, message: `${parts.join(' ')} What is stored of them was kept.` } },
  ];
};
