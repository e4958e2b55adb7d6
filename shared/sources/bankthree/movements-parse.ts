/** Kept answers of a month → movements, notices, and the accounts whose statement is closed (banks.md §3.3). Pure. */
import { createMovementOrdinals } from '#shared/domain/movement-ordinals.ts';
import type { StatementRow } from '#shared/scopes/banks/statement-movements.ts';
import type { Notice, Parsed, RawAnswer } from '../source.ts';
import { readAccountsPage } from './accounts-page.ts';
import { isOutOfWindow, type Month, placeOf, statementIn } from './movements-pull.ts';
import { nothingThere } from './refusals.ts';
import { checkAccount, checkCompany, checkMonth, closes, monthSeen, type Statement } from './statement.ts';
import type { Movement } from './statement-records.ts';
import { OPEN_MONTH } from './wire.ts';

export function* parseMovements(month: Month, answers: readonly RawAnswer[]): Generator<Parsed> {
  const { period } = month;
  const ordinalOf = createMovementOrdinals();
  /** Account → does an answer say what this month was for it? */
  const told = new Map<string, boolean>();
  for (const answer of answers.filter(({ request }) => request.page === 'statement')) {
    const account = String(answer.request.account);
    const what = placeOf(period, answer.key);
    const statement = statementIn(answer, what);
    const isTold = statement ? monthSeen(statement, period) === 'shown' : isEmpty(answer);
    told.set(account, isTold || (told.get(account) ?? false));
    if (!statement) continue;
    checkCompany(statement, month.company, what);
    checkAccount(statement, account, what);
    if (answer.request.fecha !== OPEN_MONTH) checkMonth(statement, period, what);
    for (const movement of statement.movements) {
      // An open statement that goes on over a month's end shows two of them.
      if (!movement.day.startsWith(period)) continue;
      const row = rowOf(period, statement, movement);
      const complete = { ...row, ordinal: ordinalOf(row) } satisfies StatementRow;
      yield { row: { row: complete, raw: movement.raw, answerKey: answer.key } };
    }
    if (closes(statement, period)) yield { closed: statement.account };
  }
  yield* notices(period, answers, told);
}

const isEmpty = (answer: RawAnswer): boolean => nothingThere(answer.body) === 'no_movements';

const rowOf = (
  period: string,
  { account, currency, isOpen }: Statement,
  { day, text, document, tipo, amountText, balanceText }: Movement,
): Omit<StatementRow, 'ordinal'> => ({
  period,
  numero_cuenta: account,
  currency,
  fecha_movimiento: day,
  descripcion: text,
  documento: document,
  amount: amountText,
  saldo_contable: balanceText,
  tipo,
  direction: tipo === 'C' ? 'issued' : 'received',
  provisional: isOpen,
});

/** A month that is not to be had is no error (§3.3), and must not pass for one without movements either. */
function* notices(
  period: string,
  answers: readonly RawAnswer[],
  told: ReadonlyMap<string, boolean>,
): Generator<Parsed> {
  const page = answers.find(({ request }) => request.page === 'accounts');
  if (!page) return;
  const { accounts, closedMonths } = readAccountsPage(page.body);
  const missing = accounts.filter((account) => !told.get(account)).length;
  if (missing === 0) return;
  yield {
    notice: isOutOfWindow(closedMonths, period) ? outOfWindow(period) : notAvailable(period, missing, accounts.length),
  };
}

const outOfWindow = (period: string): Notice => ({
  code: 'bankthree.movements.out_of_window',
  message: `The bank does not show statements of ${period} any more: it is too old.`,
});

const notAvailable = (period: string, missing: number, accounts: number): Notice => ({
  code: 'bankthree.movements.not_available',
  message: `The bank has no statement of ${period} yet, or none any more, for ${missing} of ${accounts} accounts.`,
});
