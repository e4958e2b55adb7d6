/** Counts and sums of the bank's data. They are compared with the rows that a sync stored. */
import { findLastDay } from '#shared/values/dates.ts';
import { type PeriodTally, type Tally, tally } from '../../sandbox-kit/tally.ts';
import { hasMorning } from './api-answers.ts';
import type { SandboxClient } from './credentials.ts';
import type { BookedMovement } from './movement.ts';
import type { State } from './state.ts';

export type { PeriodTally, Tally } from '../../sandbox-kit/tally.ts';

export interface Ledger {
  movements: Record<string, PeriodTally>;
  balances: Record<'now', Tally>;
}

const tallyRows = (rows: readonly BookedMovement[]): Tally =>
  tally(rows, { amount: ({ centavos }) => centavos, saldo_contable: ({ balanceCentavos }) => balanceCentavos }, 2);

/**
 * Builds the ledger of the months that can be requested. The oldest month begins with the first day that the bank
 * retains.
 */
export const buildLedger = (state: State, client: SandboxClient, period?: string): Ledger => {
  const { book } = state;
  const periods = period === undefined ? book.periods() : [period];
  const accounts = book.accounts(client);
  const movements = Object.fromEntries(
    periods.map((month): [string, PeriodTally] => {
      const [first, last] = [`${month}-01`, findLastDay(month)];
      const from = first < book.earliest() ? book.earliest() : first;
      const rows = last < from ? [] : accounts.flatMap((account) => book.between(client, account, from, last));
      const books = Object.groupBy(rows, ({ centavos }) => (centavos < 0 ? 'issued' : 'received'));
      const by = Object.fromEntries(Object.entries(books).map(([name, list]) => [name, tallyRows(list ?? [])]));
      return [month, { ...tallyRows(rows), by }];
    }),
  );
  const balances = accounts.map((account) => book.balances(client, account));
  const isHoldKnown = client.behaviour !== 'hold_unknown';
  const now = tally(
    balances,
    {
      saldo_contable: ({ accounting }) => accounting,
      saldo_disponible: ({ available }) => available,
      saldo_contable_9am: ({ morning }) => (hasMorning(state) ? morning : 0),
      retencion: ({ holds }) => (isHoldKnown ? holds.oneDay + holds.twoToFourDays + holds.moreThanFour : 0),
    },
    2,
  );
  return { movements, balances: { now } };
};
