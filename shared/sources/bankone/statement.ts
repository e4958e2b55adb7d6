/**
 * Common checks of open and closed statements: every page shows the same opening and closing balance, the days are in
 * the month, and the balances lead line by line from the opening to the closing balance (banks.md part 4.1).
 */
import type { StatementRow } from '#shared/scopes/banks/statement-movements.ts';
import { DAY_MS } from '#shared/values/dates.ts';
import { createMovementOrdinals } from '#shared/values/movement-ordinals.ts';
import { unexpected } from '../parsing/results.ts';
import { type AnswerPlace, unreadable } from '../parsing/values.ts';
import type { AnswerKeys, JsonObject, ParsedRow } from '../source.ts';
import { BalanceWalk } from '../truth/balance-walk.ts';
import type { StatementBalances } from '../truth/statement-chain.ts';
import { isBlank, type KeyWatch } from '../truth/watch-keys.ts';
import { keptText, readDocument } from './values.ts';
import { LATE_BOOKING_DAYS_MAX } from './wire.ts';

/** Describes the format of an open or a closed statement. */
export interface StatementForm {
  period: string;
  account: string;
  currency: string;
  isClosed: boolean;
  keys: AnswerKeys;
  /** Names of the fields for the text and the document. */
  text: string;
  document: string;
  balance: string;
  /** Name that messages give to the preceding line. */
  lineBefore: string;
  readDay(raw: JsonObject, place: AnswerPlace): string;
  readAmount(raw: JsonObject, place: AnswerPlace): { amount: string; tipo: 'C' | 'A' };
  readBalance(from: JsonObject, field: string, place: AnswerPlace): string;
}

const daysBefore = (day: string, period: string): number =>
  (Date.parse(`${period}-01T00:00:00Z`) - Date.parse(`${day}T00:00:00Z`)) / DAY_MS;

/** A row with amount and balance, because both are required. */
type MovementRow = Omit<StatementRow, 'ordinal'> & { amount: string; saldo_contable: string };

/**
 * Reads rows oldest first. A day must not be in a later month, and may be in the previous month only as a late booking:
 * a movement made on the last evening of a month may be booked in the next month. In a closed statement the days are in
 * order, so late bookings come first.
 */
export const createStatementReader = (form: StatementForm, watch: KeyWatch) => {
  const { period, isClosed, keys, balance, readBalance } = form;
  const ordinalOf = createMovementOrdinals();
  const rows: ParsedRow[] = [];
  let heads: StatementBalances | undefined;
  let walk: BalanceWalk | undefined;
  let dayBefore = '';
  const checkDay = (day: string, place: AnswerPlace): string => {
    if (day.slice(0, 7) > period || daysBefore(day, period) > LATE_BOOKING_DAYS_MAX)
      throw unreadable(place, 'fecha', 'is not a day of this month');
    if (isClosed && day < dayBefore) throw unreadable(place, 'fecha', 'is before that of the line above');
    dayBefore = day;
    return day;
  };
  const toRow = (raw: JsonObject, place: AnswerPlace): MovementRow => {
    const { amount, tipo } = form.readAmount(raw, place);
    return {
      period,
      numero_cuenta: form.account,
      currency: form.currency,
      fecha_movimiento: checkDay(form.readDay(raw, place), place),
      descripcion: keptText(raw, form.text, keys, place),
      documento: readDocument(raw, form.document, place),
      amount,
      saldo_contable: readBalance(raw, balance, place),
      tipo,
      direction: tipo === 'C' ? 'issued' : 'received',
      provisional: !isClosed,
    };
  };
  return {
    addPage: (body: JsonObject, answerKey: string, placed: Iterable<{ raw: JsonObject; place: AnswerPlace }>): void => {
      const head: AnswerPlace = { answerKey, row: 0 };
      const opening = readBalance(body, 'saldoInicial', head);
      const closing = readBalance(body, 'saldoFinal', head);
      heads ??= { opening, closing };
      walk ??= new BalanceWalk(opening);
      if (opening !== heads.opening || closing !== heads.closing)
        throw unexpected(answerKey, 'saldoInicial or saldoFinal is not that of the other pages');
      for (const { raw, place } of placed) {
        watch.row((key) => raw[key], keys, `${answerKey}, row ${place.row}`, isBlank);
        const row = toRow(raw, place);
        if (!walk.follows({ amount: row.amount, balance: row.saldo_contable }))
          throw unreadable(place, balance, `does not follow from the ${form.lineBefore} before`);
        rows.push({ row: { ...row, ordinal: ordinalOf(row) }, raw, answerKey });
      }
    },
    /**
     * `heads` (opening and closing balance) is undefined before the first page. `isWhole` is true if the lines lead to
     * the closing balance.
     */
    result: () => ({ rows, heads, isWhole: heads !== undefined && walk?.endsAt(heads.closing) === true }),
  };
};
