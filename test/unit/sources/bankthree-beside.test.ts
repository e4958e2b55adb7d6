/**
 * Months next to a closed statement that the bank no longer shows, requested over the wire: no right month is refused.
 */
import { expect, test } from 'vitest';
import { type BankthreeCredential, findCompany } from '#shared/sources/bankthree/sandbox/credentials.ts';
import { source } from '#shared/sources/bankthree/source.ts';
import { type KnownAccounts, learnAccounts, NOTHING_KNOWN } from '#shared/values/known-accounts.ts';
import { splitRut } from '#shared/values/rut.ts';
import { createAsk } from './ask.ts';
import { entryOf, inSession, io, parseAll, requestOf } from './bankthree-stage.ts';

const SEPTEMBER = '2026-09';
const OCTOBER = '2026-10';

/** Reads with a known statement of the first account; its number is that of the sandbox. */
const readKnowing = async (entry: BankthreeCredential, period: string, stored: string, closing: string) => {
  const asked = createAsk();
  const account = `${splitRut(findCompany(entry)).body}1`;
  const statement = { opening: null, closing, isOpen: false, rows: 3, to: null };
  const known: KnownAccounts = learnAccounts(NOTHING_KNOWN, stored, [{ account, statement }]);
  const request = { ...requestOf(entry, period), known };
  await inSession(entry, (session) => source.pull(request, { session, ask: asked.ask, io: io(), progress: () => {} }));
  const read = parseAll(entry.credentials, period, asked.kept.values(), known);
  return { ...read, beside: asked.fetched.filter((key) => key.startsWith('beside/')) };
};

test('a month older than the oldest that the bank lists is not requested: the statement is stored as doubtful', async () => {
  const { rows, closed, notices, beside } = await readKnowing(entryOf('new_customer'), OCTOBER, SEPTEMBER, '1');
  expect(beside).toEqual([]);
  expect(notices).toEqual(['bankthree.movements.statement_doubtful']);
  expect(closed).toHaveLength(2);
  expect(rows.filter(({ provisional }) => provisional)).not.toEqual([]);
});

test('the month after is not closed yet, and the running one comes instead: an other stored balance keeps it in doubt', async () => {
  const { closed, notices, beside } = await readKnowing(entryOf('not_closed_yet'), SEPTEMBER, SEPTEMBER, '1');
  expect(beside).toEqual([`beside/1/${OCTOBER}`]);
  expect(notices).toEqual(['bankthree.movements.statement_doubtful']);
  expect(closed).toHaveLength(2);
});
