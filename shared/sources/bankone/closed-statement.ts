/**
 * A closed statement: final rows, oldest first, in two columns of dotted amounts (banks.md §3.1). It replaces what the
 * open one showed, so its arithmetic must hold from the opening to the closing balance, line by line.
 */
import { Big } from 'big.js';
import type { StatementRow } from '#shared/scopes/banks/statement-movements.ts';
import type { StatementHeads } from '#shared/values/known-accounts.ts';
import { createMovementOrdinals } from '#shared/values/movement-ordinals.ts';
import type { AnswerKeys, JsonObject, ParsedRow, RawAnswer } from '../source.ts';
import { BalanceWalk } from '../truth/balance-walk.ts';
import type { Balances } from '../truth/statement-chain.ts';
import { isBlank, type KeyWatch } from '../truth/watch-keys.ts';
import type { Account } from './accounts.ts';
import { unexpected } from './envelope.ts';
import { bodyOf, checkEcho, rowsIn } from './kept.ts';
import { negated, readDottedAmount, requireDottedBalance } from './money.ts';
import { pageCount } from './movements-pull.ts';
import { createDayCheck, type DayCheck } from './statement-days.ts';
import { keptText, type Place, readDocument, readSlashedDay, unreadable } from './values.ts';

/** No currency is anywhere in this answer: CLP for every account, USD ones too (service.md, banks.md §3.1). */
export const REPORTED_CURRENCY = 'CLP';

/** A movement may have no document, and always has a text. */
export const CLOSED_KEYS: AnswerKeys = {
  rows: ['lineas'],
  required: ['fecha', 'docto', 'cargo', 'abono', 'saldo'],
  told: ['detalle'],
  nullable: [],
};

export interface ClosedStatement {
  rows: ParsedRow[];
  heads: StatementHeads & Balances;
}

/** Null: "no data", nothing to add up. All rows at once: a statement whose arithmetic fails gives none. */
export const readClosedStatement = (
  period: string,
  account: Account,
  pages: readonly RawAnswer[],
  watch: KeyWatch,
): ClosedStatement | null => {
  const name = `closed/${account.place}`;
  if (pages.length === 0 || pages.length !== pageCount(pages[0]!)) throw unexpected(name, 'pages are missing');
  const ordinalOf = createMovementOrdinals();
  const checkDay = createDayCheck(period, true);
  const rows: ParsedRow[] = [];
  let heads: Balances | undefined;
  let walk: BalanceWalk | undefined;
  for (const [i, answer] of pages.entries()) {
    const answerKey = answer.key;
    if (answer.request.page !== i + 1) throw unexpected(answerKey, 'is not the next page');
    const body = bodyOf(answer);
    if (body === null && pages.length === 1) return null;
    if (body === null) throw unexpected(answerKey, 'a page says that there are no data');
    checkEcho(body, 'numeroCuenta', account.number, answerKey);
    checkEcho(body, 'periodo', period, answerKey);
    const opening = headBalance(body, 'saldoInicial', answerKey);
    const closing = headBalance(body, 'saldoFinal', answerKey);
    heads ??= { opening, closing };
    walk ??= new BalanceWalk(opening);
    if (opening !== heads.opening || closing !== heads.closing)
      throw unexpected(answerKey, 'saldoInicial or saldoFinal is not that of the other pages');
    for (const { raw, place } of rowsIn(body, 'lineas', answerKey)) {
      watch.row((key) => raw[key], CLOSED_KEYS, `${answerKey}, row ${place.row}`, isBlank);
      const row = toRow(raw, period, account, checkDay, place);
      if (!walk.follows({ amount: row.amount, balance: row.saldo_contable }))
        throw unreadable(place, 'saldo', 'does not follow from the line before');
      rows.push({ row: { ...row, ordinal: ordinalOf(row) }, raw, answerKey });
    }
  }
  if (!heads || !walk?.endsAt(heads.closing))
    throw unexpected(name, 'opening balance and lines do not give saldoFinal');
  return { rows, heads: { ...heads, isOpen: false, rows: rows.length, to: null } };
};

const headBalance = (body: JsonObject, field: string, answerKey: string): string =>
  requireDottedBalance(body, field, { answerKey, row: 0 });

/** Amount and balance are always there. */
type ClosedRow = Omit<StatementRow, 'ordinal'> & { amount: string; saldo_contable: string };

const toRow = (raw: JsonObject, period: string, account: Account, checkDay: DayCheck, place: Place): ClosedRow => {
  const { amount, tipo } = amountOf(raw, place);
  return {
    period,
    numero_cuenta: account.number,
    currency: REPORTED_CURRENCY,
    fecha_movimiento: checkDay(readSlashedDay(raw, 'fecha', place), 'fecha', place),
    descripcion: keptText(raw, 'detalle', CLOSED_KEYS, place),
    documento: readDocument(raw, 'docto', place),
    amount,
    saldo_contable: requireDottedBalance(raw, 'saldo', place),
    tipo,
    direction: tipo === 'C' ? 'issued' : 'received',
    provisional: false,
  };
};

const isZero = (amount: string | null): boolean => amount !== null && new Big(amount).eq(0);

/** Which of the two columns is filled says which way the money went; a zero beside an amount fills nothing. */
const amountOf = (raw: JsonObject, place: Place): { amount: string; tipo: 'C' | 'A' } => {
  const charge = readDottedAmount(raw, 'cargo', place);
  const credit = readDottedAmount(raw, 'abono', place);
  if (charge !== null && (credit === null || (isZero(credit) && !isZero(charge))))
    return { amount: negated(charge), tipo: 'C' };
  if (credit !== null && (charge === null || (isZero(charge) && !isZero(credit)))) return { amount: credit, tipo: 'A' };
  throw unreadable(place, 'cargo', 'and abono are not one of the two');
};
