/** What the institution holds, for comparison with what a sync stored. Sums of hundredths go beyond 2^53: BigInt. */
import { addMonths } from '#shared/values/dates.ts';
import { hasMorning } from './api-answers.ts';
import { addDays } from './calendar.ts';
import type { SandboxClient } from './credentials.ts';
import type { BookedMovement } from './movement.ts';
import type { State } from './state.ts';

export interface Tally {
  count: number;
  sums: Record<string, string>;
}

export interface PeriodTally extends Tally {
  /** `received`, `issued` */
  by: Record<string, Tally>;
}

export interface Ledger {
  movements: Record<string, PeriodTally>;
  balances: Record<'now', Tally>;
}

/** Exact, without idle zeros: `-42.5`. */
const decimal = (centavos: bigint): string => {
  const digits = String(centavos < 0n ? -centavos : centavos).padStart(3, '0');
  const fraction = digits.slice(-2).replace(/0+$/, '');
  return `${centavos < 0n ? '-' : ''}${digits.slice(0, -2)}${fraction && `.${fraction}`}`;
};

const sum = (values: readonly number[]): string => decimal(values.reduce((total, value) => total + BigInt(value), 0n));

const tally = (rows: readonly BookedMovement[]): Tally => ({
  count: rows.length,
  sums: {
    amount: sum(rows.map(({ centavos }) => centavos)),
    saldo_contable: sum(rows.map(({ balanceCentavos }) => balanceCentavos)),
  },
});

/** Of the months that can be asked for; the oldest only from the day on which the bank's depth begins. */
export const ledgerOf = (state: State, client: SandboxClient, period?: string): Ledger => {
  const { book } = state;
  const periods = period === undefined ? book.periods() : [period];
  const accounts = book.accounts(client);
  const movements = Object.fromEntries(
    periods.map((month): [string, PeriodTally] => {
      const [first, last] = [`${month}-01`, addDays(`${addMonths(month, 1)}-01`, -1)];
      const from = first < book.earliest() ? book.earliest() : first;
      const rows = last < from ? [] : accounts.flatMap((account) => book.between(client, account, from, last));
      const books = Object.groupBy(rows, ({ centavos }) => (centavos < 0 ? 'issued' : 'received'));
      const by = Object.fromEntries(Object.entries(books).map(([name, list]) => [name, tally(list ?? [])]));
      return [month, { ...tally(rows), by }];
    }),
  );
  const balances = accounts.map((account) => book.balances(client, account));
  const isHoldKnown = client.behaviour !== 'hold_unknown';
  const held = ({ holds }: (typeof balances)[number]) => holds.oneDay + holds.twoToFourDays + holds.moreThanFour;
  const now: Tally = {
    count: balances.length,
    sums: {
      saldo_contable: sum(balances.map(({ accounting }) => accounting)),
      saldo_disponible: sum(balances.map(({ available }) => available)),
      saldo_contable_9am: hasMorning(state) ? sum(balances.map(({ morning }) => morning)) : '0',
      retencion: isHoldKnown ? sum(balances.map(held)) : '0',
    },
  };
  return { movements, balances: { now } };
};
