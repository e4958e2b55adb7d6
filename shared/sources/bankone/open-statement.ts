/** The open statement of the current month: provisional rows, newest first, amounts without sign (banks.md §3.1). */
import { createMovementOrdinals } from '#shared/domain/movement-ordinals.ts';
import type { StatementRow } from '#shared/scopes/banks/statement-movements.ts';
import type { JsonObject, Parsed, RawAnswer } from '../source.ts';
import type { Account } from './accounts.ts';
import { bodyOf, rowsIn } from './kept.ts';
import { negated, readAmount, readBalance } from './money.ts';
import { checkNear } from './statement-days.ts';
import { type Place, readDocument, readKey, readStamp, readText, unreadable } from './values.ts';

/** Ordinals count from the oldest, so that they stay as they are while the month grows. */
export function* parseOpenStatement(period: string, account: Account, pages: readonly RawAnswer[]): Generator<Parsed> {
  const ordinalOf = createMovementOrdinals();
  for (const answer of pages.toReversed()) {
    const body = bodyOf(answer);
    if (body === null) continue;
    for (const { raw, place } of [...rowsIn(body, 'movimientos', answer.key)].toReversed()) {
      const row = toRow(raw, period, account, place);
      yield { row: { row: { ...row, ordinal: ordinalOf(row) }, raw, answerKey: answer.key } };
    }
  }
}

const toRow = (raw: JsonObject, period: string, account: Account, place: Place): Omit<StatementRow, 'ordinal'> => {
  const { currency, number } = account;
  const tipo = tipoOf(raw, place);
  const amount = readAmount(raw, 'monto', currency, place);
  return {
    period,
    numero_cuenta: number,
    currency,
    fecha_movimiento: checkNear(readStamp(raw, 'fecha', place).day, period, 'fecha', place),
    descripcion: readText(raw, 'descripcion', place),
    documento: readDocument(raw, 'numeroDocumento', place),
    amount: tipo === 'C' ? negated(amount) : amount,
    saldo_contable: readBalance(raw, 'saldoMovimiento', currency, place),
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
