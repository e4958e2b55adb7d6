/** Accounts that a bank stops listing: reported once each time, over any number of readings. */
import { expect, test } from 'vitest';
import { type OtherList, tellGoneAccounts } from '#shared/sources/truth/gone-accounts.ts';
import { type KnownAccounts, learnAccounts, NOTHING_KNOWN } from '#shared/values/known-accounts.ts';

let known: KnownAccounts;

/** Reads once more and returns the notices. */
const reads = (listed: string[], other?: OtherList): string[] => {
  const items = tellGoneAccounts('bank', listed, known, other);
  const missing = items.flatMap((item) => ('missing' in item ? [...item.missing] : []));
  known = learnAccounts(
    known,
    null,
    listed.map((account) => ({ account })),
    missing,
  );
  return items.flatMap((item) => ('notice' in item ? [item.notice.message] : []));
};

const gone = (words: string): string[] => [`${words} now. What is stored of them was kept.`];
const ONE_OF_TWO = gone('1 account of 2 that the bank listed before are not listed');

test('once while it is gone, and again when it went again', () => {
  known = NOTHING_KNOWN;
  expect(reads(['1', '2'])).toEqual([]);
  expect(reads(['1'])).toEqual(ONE_OF_TWO);
  for (let n = 0; n < 3; n++) expect(reads(['1'])).toEqual([]);
  expect(reads(['1', '2'])).toEqual([]);
  expect(reads(['1'])).toEqual(ONE_OF_TWO);
  expect(reads([])).toEqual(gone('2 accounts of 2 that the bank listed before are not listed'));
  expect(reads(['2'])).toEqual([]);
});

test('two lists that differ are also reported once', () => {
  known = NOTHING_KNOWN;
  const file = (...accounts: string[]): OtherList => ({ name: 'the file', accounts });
  expect(reads(['1'], file('1'))).toEqual([]);
  expect(reads(['1', '2'], file('1'))).toHaveLength(1);
  expect(reads(['1', '2'], file('1'))).toEqual([]);
  expect(reads(['1'], file('1', '2'))).toHaveLength(1);
  expect(reads(['1'], file('1', '2'))).toEqual([]);
});

test('a reading that does not say leaves earlier reports unchanged', () => {
  known = NOTHING_KNOWN;
  reads(['1', '2']);
  reads(['1']);
  expect(learnAccounts(known, null, [{ account: '1' }])).toBe(known);
});
