/** The book's data in the format of the API (banks.md §3.2). */
import { countUp } from '../../sandbox-kit/memory.ts';
import type { SandboxAccount } from './accounts.ts';
import type { Behaviour } from './behaviour.ts';
import { isBankingDay } from './calendar.ts';
import type { SandboxClient } from './credentials.ts';
import type { BookedMovement } from './movement.ts';
import type { State } from './state.ts';
import { cursorKey, NO_MOVEMENT, type TransactionsQuery } from './transactions-query.ts';
import { centavos, localInstant, movementNumber, readHour } from './wire-format.ts';

const PAGE_ROWS = 50;

/** True if the bank has a 09:00 balance: from 09:00 on, and only on banking days. */
export const hasMorning = (state: State): boolean => isBankingDay(state.book.today()) && readHour(state.now()) >= 9;

export const balancesAnswer = (state: State, client: SandboxClient, account: SandboxAccount): object => {
  const { behaviour } = client;
  const { accounting, available, morning, holds } = state.book.balances(client, account);
  const hold = (value: number) => (behaviour === 'hold_unknown' ? 'Sin información' : centavos(value, behaviour));
  return {
    accountId: behaviour === 'other_account' ? '9999000000000001' : account.accountId,
    currency: account.currency,
    asOf: behaviour === 'malformed_row' ? '2026-02-30T12:00:00-03:00' : localInstant(state.now()),
    ...(behaviour === 'missing_field' ? {} : { accountingBalance: centavos(accounting, behaviour) }),
    availableBalance: centavos(available, behaviour),
    accountingBalance9am: hasMorning(state) ? centavos(morning, behaviour) : null,
    withholdings: {
      oneDay: hold(holds.oneDay),
      twoToFourDays: hold(holds.twoToFourDays),
      moreThanFour: hold(holds.moreThanFour),
    },
  };
};

/** Returns the index at which the page after a cursor begins: the movement that is next older than the cursor. */
const startOf = (rows: readonly BookedMovement[], query: TransactionsQuery, behaviour: Behaviour): number => {
  if (query.startMovement === NO_MOVEMENT || behaviour === 'stuck_cursor') return 0;
  const last = rows.findIndex(({ number }) => movementNumber(number) === query.startMovement);
  if (last < 0) return rows.length;
  // With `duplicate_rows`, a page begins with the row of the cursor, which the previous page has already shown.
  return behaviour === 'duplicate_rows' && last + 1 < rows.length ? last : last + 1;
};

/** If a later page repeats a movement of the first page, this value is added to the number of the movement. */
const RENUMBERED = 500_000;
const shownOf = (
  rows: readonly BookedMovement[],
  page: readonly BookedMovement[],
  start: number,
  behaviour: Behaviour,
): readonly BookedMovement[] =>
  behaviour === 'repeated_page' && start > 0
    ? rows.slice(0, page.length).map((row) => ({ ...row, number: row.number + RENUMBERED }))
    : page;

export const transactionsAnswer = (
  state: State,
  client: SandboxClient,
  account: SandboxAccount,
  query: TransactionsQuery,
): object => {
  const { behaviour } = client;
  const rows = state.book.between(client, account, query.openingDate, query.closingDate);
  const start = startOf(rows, query, behaviour);
  const page = rows.slice(start, start + PAGE_ROWS);
  const initialMove = page.length === 0 ? NO_MOVEMENT : movementNumber(page.at(-1)!.number);
  const finalMove = page.length === 0 ? NO_MOVEMENT : movementNumber(page[0]!.number);
  giveCursor(state, client, cursorKey(client, query, initialMove, finalMove));
  const count = page.length + (behaviour === 'short_count' && page.length > 0 ? 1 : 0);
  return {
    accountId: behaviour === 'other_account' ? '9999000000000001' : account.accountId,
    currency: account.currency,
    movements: shownOf(rows, page, start, behaviour).map((movement, i) =>
      withFault(wireMovement(movement, behaviour), i, behaviour),
    ),
    repositioningExit: {
      recordRecover: behaviour === 'loose_types' ? count : String(count),
      initialMove,
      finalMove,
    },
  };
};

/**
 * Issues a cursor. With `cursor_expires`, the first cursor has expired when the client sends it back; this happens
 * once.
 */
const giveCursor = (state: State, client: SandboxClient, key: string[]): void => {
  state.cursors.give(key);
  if (client.behaviour !== 'cursor_expires') return;
  if (countUp(state.dataCalls, `${client.credentials.client_id}|cursors`) === 1) state.cursors.expireAll();
};

const wireMovement = (movement: BookedMovement, behaviour: Behaviour): Record<string, unknown> => ({
  movementNumber: movementNumber(movement.number),
  transactionDate: movement.transactionDate,
  accountingDate: movement.accountingDate,
  operationTime: movement.operationTime,
  movementAmount: centavos(movement.centavos, behaviour),
  chargePaymentFlag: movement.centavos < 0 ? 'D' : 'H',
  mnemonic: movement.mnemonic,
  category: movement.category,
  observation: movement.observation,
  newBalance: centavos(movement.balanceCentavos, behaviour),
  counterparty: movement.counterparty && {
    ...movement.counterparty,
    rut: wireRut(movement.counterparty.rut, behaviour),
  },
});

/** Converts a RUT to 11 characters, zero-padded. */
const wireRut = (rut: string, behaviour: Behaviour): string => {
  const padded = rut.replace('-', '').padStart(11, '0');
  if (behaviour !== 'faulty_rut') return padded;
  return padded.slice(0, -1) + (padded.endsWith('1') ? '2' : '1');
};

const withFault = (movement: Record<string, unknown>, i: number, behaviour: Behaviour): Record<string, unknown> => {
  if (behaviour === 'malformed_row' && i === 2) return { ...movement, transactionDate: '2026-02-30' };
  if (behaviour === 'sign_conflict' && i === 1)
    return { ...movement, movementAmount: '00000000100000+', chargePaymentFlag: 'D' };
  if (behaviour === 'missing_field' && i === 1) {
    const { newBalance: _, ...rest } = movement;
    return rest;
  }
  return movement;
};
