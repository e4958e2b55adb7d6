/** Parses the stored answers of a month into movements and notices. Pure. */
import type { BanktwoMovement } from '#shared/scopes/banktwo-movements.ts';
import type { KnownAccounts } from '#shared/values/known-accounts.ts';
import { inPages } from '../parsing/kept.ts';
import { notice, unexpected } from '../parsing/results.ts';
import type { Parsed, RawAnswer, SourceError } from '../source.ts';
import { BalanceWalk } from '../truth/balance-walk.ts';
import { tellAccounts } from '../truth/gone-accounts.ts';
import { watchKeys } from '../truth/watch-keys.ts';
import { accountsIn, type ListedAccount } from './accounts.ts';
import { readObject } from './body.ts';
import { FAR_BOOKINGS_SHARE_MAX, SHARED_NUMBERS_MAX, TRANSACTION_DAYS_TOLD } from './limits.ts';
import { type PlacedMovement, withOwnNumbers } from './movement-numbers.ts';
import { readPage, watchMovement } from './movements-page.ts';
import { outOfWindow, type Window, windowIn } from './movements-window.ts';

export function* parseMovements(
  period: string,
  answers: readonly RawAnswer[],
  known?: KnownAccounts,
): Generator<Parsed> {
  const { answer, accounts } = accountsIn(answers);
  yield* tellAccounts('banktwo', accounts, known);
  const outside = outOfWindow(period, answer.request);
  if (outside !== undefined) yield notice('banktwo.movements.out_of_window', outside.message, outside.params);
  const window = windowIn(answer.request);
  if (window === null) return;
  const faultyRuts = new Set<string>();
  const watch = watchKeys();
  const counterparties = watchKeys();
  let sharedNumbers = 0;
  let bookedLate = 0;
  for (const account of accounts) {
    const { movements, shared, late } = readAccount(account, window, answers);
    sharedNumbers += shared;
    bookedLate += late;
    for (const { row, raw, answerKey, isRutFaulty } of movements) {
      watchMovement(raw, watch, counterparties, `movements, ${account.name}`);
      if (row.period !== period) throw contradicted(account, `a movement of ${row.period} among those of ${period}`);
      if (isRutFaulty) faultyRuts.add(numberedBy(row));
      yield { row: { row, raw, answerKey } };
    }
  }
  yield* tellCount('rut_unverified', period, faultyRuts.size);
  yield* tellCount('numbers_shared', period, sharedNumbers);
  yield* tellCount('booked_late', period, bookedLate);
  yield* watch.notice('banktwo.movements.columns_missing', { period });
  yield* counterparties.noticesWhereKept('banktwo.movements.columns_missing', { period });
}

const contradicted = ({ name }: ListedAccount, why: string): SourceError => unexpected(`movements, ${name}`, why);

const numberedBy = ({ numero_cuenta, fecha_contable, movement_number }: BanktwoMovement): string =>
  JSON.stringify([numero_cuenta, fecha_contable, movement_number]);

/** Texts of notices that contain a number of movements. */
const COUNTED = {
  rut_unverified: (count: number) =>
    `in ${count} movement(s) the counterparty's RUT has a wrong check digit; it is shown as it came.`,
  numbers_shared: (count: number) =>
    `${count} movement(s) came under the number of another one; each is stored by itself.`,
  booked_late: (count: number) =>
    `${count} movement(s) were booked more than ${TRANSACTION_DAYS_TOLD} days after they were made.`,
} as const;

const tellCount = (what: keyof typeof COUNTED, period: string, count: number): Parsed[] =>
  count === 0 ? [] : [notice(`banktwo.movements.${what}`, `${period}: ${COUNTED[what](count)}`, { period, count })];

/**
 * Checks the balances newest first, also from page to page: each balance is the balance of the next older movement plus
 * the amount. Movements that a page repeats from the previous page are removed; a missing, invented or changed movement
 * breaks the chain.
 */
const walked = (account: ListedAccount, movements: readonly PlacedMovement[]): PlacedMovement[] => {
  const distinct = [...new Map(movements.map((movement) => [JSON.stringify(movement.raw), movement])).values()];
  const walk = new BalanceWalk();
  for (const { row, answerKey } of distinct.toReversed())
    if (!walk.follows({ amount: row.amount, balance: row.saldo_contable }))
      throw contradicted(account, `${answerKey}: a newBalance does not follow from the movement before`);
  return distinct;
};

/**
 * Returns the movements of the last round (one reading of the window from the start), because every earlier round ended
 * with an expired cursor. Throws if a page of the last round is missing.
 */
const pagesIn = (account: ListedAccount, window: Window, answers: readonly RawAnswer[]): PlacedMovement[] => {
  const own = answers.filter(
    ({ request }) => request.call === 'transactions' && request.accountId === account.accountId,
  );
  const last = Math.max(...own.map(({ request }) => Number(request.round)));
  const pages = inPages(own.filter(({ request }) => Number(request.round) === last));
  const movements: PlacedMovement[] = [];
  let isComplete = false;
  for (const [i, { key, request, body }] of pages.entries()) {
    if (isComplete || Number(request.page) !== i + 1) throw contradicted(account, `page ${i + 1} is missing`);
    const page = readPage(readObject(body, key), account, window, key);
    for (const movement of page.movements) movements.push({ ...movement, answerKey: key });
    isComplete = page.next === null;
  }
  if (!isComplete) throw contradicted(account, 'the last page is missing');
  return walked(account, movements);
};

/** Reads the movements of an account. Counts shared numbers and late bookings. */
const readAccount = (account: ListedAccount, window: Window, answers: readonly RawAnswer[]) => {
  const { movements, shared } = withOwnNumbers(pagesIn(account, window, answers));
  if (shared > SHARED_NUMBERS_MAX)
    throw contradicted(
      account,
      `${shared} movements have the number of another one, at most ${SHARED_NUMBERS_MAX} may`,
    );
  const late = movements.filter(({ isBookedLate }) => isBookedLate).length;
  if (late > Math.max(1, Math.floor(movements.length * FAR_BOOKINGS_SHARE_MAX)))
    throw contradicted(
      account,
      `in ${late} of ${movements.length} movements transactionDate is far from accountingDate`,
    );
  return { movements, shared, late };
};
