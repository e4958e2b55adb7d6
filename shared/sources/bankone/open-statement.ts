/** The open statement of the current month: provisional rows, newest first, amounts without sign (banks.md §3.1). */

import type { StatementRow } from '#shared/scopes/banks/statement-movements.ts';
import type { StatementHeads } from '#shared/values/known-accounts.ts';
import { createMovementOrdinals } from '#shared/values/movement-ordinals.ts';
import type { AnswerKeys, JsonObject, ParsedRow, RawAnswer } from '../source.ts';
import { BalanceWalk } from '../truth/balance-walk.ts';
import type { Balances } from '../truth/statement-chain.ts';
import { isBlank, type KeyWatch } from '../truth/watch-keys.ts';
import type { Account } from './accounts.ts';
import { unexpected } from './envelope.ts';
import { bodyOf, rowsIn } from './kept.ts';
import { negated, readAmount, requireBalance } from './money.ts';
import { createDayCheck, type DayCheck } from './statement-days.ts';
import { keptText, type Place, readDocument, readKey, readStamp, unreadable } from './values.ts';

/** A movement may have no document, and always has a text. */
export const OPEN_KEYS: AnswerKeys = {
  rows: ['movimientos'],
  required: ['id', 'fecha', 'numeroDocumento', 'monto', 'tipo', 'saldoMovimiento'],
  told: ['descripcion'],
  nullable: [],
};

export interface OpenStatement {
  rows: ParsedRow[];
  /** Undefined: "no data". */
  heads: (StatementHeads & Balances) | undefined;
}

/**
 * Ordinals count from the oldest, so that they stay as they are while the month grows. All rows before the first is
 * given: a list whose balances do not lead from `saldoInicial` to `saldoFinal` gives none.
 */
export const readOpenStatement = (
  period: string,
  account: Account,
  pages: readonly RawAnswer[],
  watch: KeyWatch,
): OpenStatement => {
  const ordinalOf = createMovementOrdinals();
  const checkDay = createDayCheck(period, false);
  const rows: ParsedRow[] = [];
  let heads: Balances | undefined;
  let walk: BalanceWalk | undefined;
  for (const answer of pages.toReversed()) {
    const body = bodyOf(answer);
    if (body === null) continue;
    const own = headsOf(body, account, answer.key);
    heads ??= own;
    walk ??= new BalanceWalk(heads.opening);
    if (own.opening !== heads.opening || own.closing !== heads.closing)
      throw unexpected(answer.key, 'saldoInicial or saldoFinal is not that of the other pages');
    for (const { raw, place } of [...rowsIn(body, 'movimientos', answer.key)].toReversed()) {
      watch.row((key) => raw[key], OPEN_KEYS, `${answer.key}, row ${place.row}`, isBlank);
      const row = toRow(raw, period, account, checkDay, place);
      if (!walk.follows({ amount: row.amount, balance: row.saldo_contable }))
        throw unreadable(place, 'saldoMovimiento', 'does not follow from the movement before');
      rows.push({ row: { ...row, ordinal: ordinalOf(row) }, raw, answerKey: answer.key });
    }
  }
  if (heads && !walk?.endsAt(heads.closing))
    throw unexpected(`open/${account.place}`, 'saldoInicial and movements do not give saldoFinal');
  return { rows, heads: heads && { ...heads, isOpen: true, rows: rows.length, to: null } };
};

const headsOf = (body: JsonObject, { currency }: Account, answerKey: string): Balances => {
  const place: Place = { answerKey, row: 0 };
  return {
    opening: requireBalance(body, 'saldoInicial', currency, place),
    closing: requireBalance(body, 'saldoFinal', currency, place),
  };
};

/** Amount and balance are always there. */
type OpenRow = Omit<StatementRow, 'ordinal'> & { amount: string; saldo_contable: string };

const toRow = (raw: JsonObject, period: string, account: Account, checkDay: DayCheck, place: Place): OpenRow => {
  const { currency, number } = account;
  const tipo = tipoOf(raw, place);
  const amount = readAmount(raw, 'monto', currency, place);
  return {
    period,
    numero_cuenta: number,
    currency,
    fecha_movimiento: checkDay(readStamp(raw, 'fecha', place).day, 'fecha', place),
    descripcion: keptText(raw, 'descripcion', OPEN_KEYS, place),
    documento: readDocument(raw, 'numeroDocumento', place),
    amount: tipo === 'C' ? negated(amount) : amount,
    saldo_contable: requireBalance(raw, 'saldoMovimiento', currency, place),
    tipo,
    direction: tipo === 'C' ? 'issued' : 'received',
    provisional: true,
  };
};

const tipoOf = (raw: JsonObject, place: Place): 'C' | 'A' => {
  const word = readKey(raw, 'tipo', place).toLowerCase();
  if (word === 'cargo') return 'C';
  if (word === 'abono') return 'A';
  throw unreadable(place, 'tipo', 'is neither cargo nor abono');
};
