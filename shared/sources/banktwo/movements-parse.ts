/** Kept answers of a month → movements and notices. Pure: the same answers give the same rows. */

import type { BanktwoMovement } from '#shared/scopes/banktwo-movements.ts';
import type { KnownAccounts } from '#shared/values/known-accounts.ts';
import { type Notice, type Parsed, type RawAnswer, SourceError } from '../source.ts';
import { BalanceWalk } from '../truth/balance-walk.ts';
import { tellAccounts } from '../truth/gone-accounts.ts';
import { watchKeys } from '../truth/watch-keys.ts';
import { type Account, accountsIn } from './accounts.ts';
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
  if (outside !== undefined) yield { notice: { code: 'banktwo.movements.out_of_window', message: outside } };
  const window = windowIn(answer.request);
  if (window === null) return;
  const faultyRuts = new Set<string>();
  const watch = watchKeys();
  const counterparties = watchKeys();
  let sharedNumbers = 0;
  let bookedLate = 0;
  for (const account of accounts) {
    const { movements, shared } = withOwnNumbers(readAccount(account, window, answers));
    if (shared > SHARED_NUMBERS_MAX)
      throw unexpected(
        account,
        `${shared} movements have the number of another one, at most ${SHARED_NUMBERS_MAX} may`,
      );
    sharedNumbers += shared;
    const late = movements.filter(({ isBookedLate }) => isBookedLate).length;
    if (late > Math.max(1, Math.floor(movements.length * FAR_BOOKINGS_SHARE_MAX)))
      throw unexpected(
        account,
        `in ${late} of ${movements.length} movements transactionDate is far from accountingDate`,
      );
    bookedLate += late;
    for (const { row, raw, answerKey, isRutFaulty } of movements) {
      watchMovement(raw, watch, counterparties, `movements, ${account.name}`);
      if (row.period !== period) throw unexpected(account, `a movement of ${row.period} among those of ${period}`);
      if (isRutFaulty) faultyRuts.add(numberedBy(row));
      yield { row: { row, raw, answerKey } };
    }
  }
  if (faultyRuts.size > 0) yield { notice: faultyNotice(period, faultyRuts.size) };
  if (sharedNumbers > 0) yield { notice: sharedNotice(period, sharedNumbers) };
  if (bookedLate > 0) yield { notice: lateNotice(period, bookedLate) };
  for (const notice of watch.notice('banktwo.movements.columns_missing', period)) yield { notice };
  yield* counterparties.told('banktwo.movements.columns_missing', period);
}

const unexpected = ({ name }: Account, why: string): SourceError =>
  new SourceError('source.unexpected_response', `movements, ${name}: ${why}`);

const numberedBy = ({ numero_cuenta, fecha_contable, movement_number }: BanktwoMovement): string =>
  JSON.stringify([numero_cuenta, fecha_contable, movement_number]);

const faultyNotice = (period: string, count: number) => ({
  code: 'banktwo.movements.rut_unverified',
  message: `${period}: in ${count} movement(s) the counterparty's RUT has a wrong check digit; it is shown as it came.`,
});

const sharedNotice = (period: string, count: number): Notice => ({
  code: 'banktwo.movements.numbers_shared',
  message: `${period}: ${count} movement(s) came under the number of another one; each is stored by itself.`,
});

const lateNotice = (period: string, count: number): Notice => ({
  code: 'banktwo.movements.booked_late',
  message: `${period}: ${count} movement(s) were booked more than ${TRANSACTION_DAYS_TOLD} days after they were made.`,
});

/**
 * Newest first, over page borders: each balance is that of the next older movement and the amount. A page that shows
 * the last movements of the one before again shows nothing new; a movement that is missing, invented or changed breaks
 * the balances.
 */
const walked = (account: Account, movements: readonly PlacedMovement[]): PlacedMovement[] => {
  const distinct = [...new Map(movements.map((movement) => [JSON.stringify(movement.raw), movement])).values()];
  const walk = new BalanceWalk();
  for (const { row, answerKey } of distinct.toReversed())
    if (!walk.follows({ amount: row.amount, balance: row.saldo_contable }))
      throw unexpected(account, `${answerKey}: a newBalance does not follow from the movement before`);
  return distinct;
};

/** The last round alone: one that ended with a forgotten cursor is a part of it. All its pages must be there. */
const readAccount = (account: Account, window: Window, answers: readonly RawAnswer[]): PlacedMovement[] => {
  const own = answers.filter(
    ({ request }) => request.call === 'transactions' && request.accountId === account.accountId,
  );
  const last = Math.max(...own.map(({ request }) => Number(request.round)));
  const pages = own
    .filter(({ request }) => Number(request.round) === last)
    .toSorted((a, b) => Number(a.request.page) - Number(b.request.page));
  const movements: PlacedMovement[] = [];
  let isComplete = false;
  for (const [i, { key, request, body }] of pages.entries()) {
    if (isComplete || Number(request.page) !== i + 1) throw unexpected(account, `page ${i + 1} is missing`);
    const page = readPage(readObject(body, key), account, window, key);
    for (const movement of page.movements) movements.push({ ...movement, answerKey: key });
    isComplete = page.next === null;
  }
  if (!isComplete) throw unexpected(account, 'the last page is missing');
  return walked(account, movements);
};
