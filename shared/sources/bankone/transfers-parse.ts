/** Kept answers of a month → transfers (banks.md §3.1). Only those that arrived: the others are no money. */
import { createOrdinals, type Ordinals } from '#shared/domain/movement-ordinals.ts';
import type { TransferRow } from '#shared/scopes/bankone-transfers.ts';
import type { JsonObject, Parsed, RawAnswer } from '../source.ts';
import { keptAccounts } from './accounts.ts';
import { unexpected } from './envelope.ts';
import { bodyOf, checkEcho, rowsIn } from './kept.ts';
import { readAmount } from './money.ts';
import { wholeReading } from './pages.ts';
import { transferWindow } from './transfer-window.ts';
import { listKey, SIDES, type Side } from './transfers-pull.ts';
import { type Place, readCurrency, readKey, readRut, readStamp, readText, unreadable } from './values.ts';
import { TRANSFER_DEPTH_MONTHS } from './wire.ts';

export function* parseTransfers(period: string, answers: readonly RawAnswer[]): Generator<Parsed> {
  const { accounts, today } = keptAccounts(answers);
  const window = transferWindow(period, today);
  if (window === undefined || window.isCut) yield outOfWindow(period, window?.from);
  if (window === undefined) return;
  // One count over all accounts: the account is not part of what makes a transfer (shared/scopes/bankone-transfers.ts).
  const ordinalOf = createOrdinals();
  for (const account of accounts) {
    for (const side of SIDES) {
      const key = listKey(side, account);
      const list = answers.filter(({ request }) => request.list === key);
      const pages = wholeReading(list, 'transferencias');
      if (pages !== undefined) yield* parseList(pages, side, period, ordinalOf);
      // A list that the portal refused as too old has an answer, but no reading.
      else if (!window.isCut || list.length === 0) throw unexpected(key, 'no whole reading was kept');
    }
  }
}

/** Oldest first, so that numbers among equals stay as they are while the month grows. */
function* parseList(pages: readonly RawAnswer[], side: Side, period: string, ordinalOf: Ordinals): Generator<Parsed> {
  for (const answer of pages.toReversed()) {
    const body = bodyOf(answer);
    if (body === null) continue;
    checkEcho(body, 'direccion', side.word, answer.key);
    for (const { raw, place } of [...rowsIn(body, 'transferencias', answer.key)].toReversed()) {
      if (readKey(raw, 'estado', place).toUpperCase() !== 'ABONADA') continue;
      const row = toRow(raw, side, period, place);
      const { direction, transferred_at, amount, counterparty_rut, numero_transaccion } = row;
      const ordinal = numero_transaccion === null ? ordinalOf(direction, transferred_at, amount, counterparty_rut) : 0;
      yield { row: { row: { ...row, ordinal }, raw, answerKey: answer.key } };
    }
  }
}

const toRow = (raw: JsonObject, side: Side, period: string, place: Place): Omit<TransferRow, 'ordinal'> => {
  const { day, instant } = readStamp(raw, 'fecha', place);
  if (!day.startsWith(period)) throw unreadable(place, 'fecha', 'is not in the asked month');
  const currency = readCurrency(raw, 'moneda', place);
  return {
    period,
    direction: side.direction,
    transferred_at: instant,
    amount: readAmount(raw, 'monto', currency, place),
    numero_transaccion: readText(raw, 'numeroTransaccion', place),
    currency,
    subject: readText(raw, 'asunto', place),
    counterparty_rut: readRut(raw, 'rutContraparte', place),
    counterparty_name: readText(raw, 'nombreContraparte', place),
    counterparty_bank: readText(raw, 'banco', place),
  };
};

const outOfWindow = (period: string, from: string | undefined): Parsed => ({
  notice: {
    code: 'bankone.transfers.out_of_window',
    message: `The bank shows transfers of the last ${TRANSFER_DEPTH_MONTHS} months: ${
      from === undefined ? `${period} is not among them` : `of ${period} those since ${from}`
    }.`,
  },
});
