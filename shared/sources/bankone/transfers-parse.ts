/**
 * Parses the stored answers of a month into transfers (banks.md §3.1). Only transfers that arrived become rows, because
 * all other transfers moved no money.
 */
import type { TransferRow } from '#shared/scopes/bankone-transfers.ts';
import { notice, unexpected } from '../parsing/results.ts';
import { type AnswerPlace, unreadable } from '../parsing/values.ts';
import type { AnswerKeys, JsonObject, Parsed, RawAnswer } from '../source.ts';
import { tellAccounts } from '../truth/gone-accounts.ts';
import { isBlank, watchKeys } from '../truth/watch-keys.ts';
import { keptAccounts, type ListedAccount } from './accounts.ts';
import { checkEcho, parseBody, rowsIn } from './kept.ts';
import { readAmount } from './money.ts';
import type { MovementsMonth } from './movements-pull.ts';
import { isUnnumbered, wholeReading } from './pages.ts';
import { transferWindow } from './transfer-window.ts';
import { listKey, SIDES, type TransferSide } from './transfers-pull.ts';
import { keptText, readCurrency, readKey, readRut, readStamp } from './values.ts';
import { NOT_ARRIVED, TRANSFER_DEPTH_MONTHS } from './wire.ts';

/** A transfer may have no subject, but always names the other party. */
export const TRANSFER_KEYS: AnswerKeys = {
  rows: ['transferencias'],
  required: ['numeroTransaccion', 'fecha', 'monto', 'moneda', 'estado'],
  reported: ['asunto', 'rutContraparte', 'nombreContraparte', 'banco'],
  nullable: ['asunto'],
};

const ARRIVED = 'ABONADA';

export function* parseTransfers({ period, known }: MovementsMonth, answers: readonly RawAnswer[]): Generator<Parsed> {
  const { accounts, today } = keptAccounts(answers);
  yield* tellAccounts('bankone', accounts, known);
  const window = transferWindow(period, today);
  if (window === undefined || window.isCut) yield outOfWindow(period, window?.from);
  if (window === undefined) return;
  const month = createNotes(period);
  for (const account of accounts) {
    for (const side of SIDES) {
      const key = listKey(side, account);
      const list = answers.filter(({ request }) => request.list === key);
      const pages = wholeReading(list, 'transferencias');
      if (pages !== undefined) yield* parseList(pages, account, side, month);
      // A list that the portal refused as too old has an answer but no complete reading.
      else if (!window.isCut || list.length === 0) throw unexpected(key, 'no complete reading is stored');
    }
  }
  yield* month.told();
}

/** Collects the input of the notices about a month from all its lists. */
const createNotes = (period: string) => {
  const watch = watchKeys();
  /** Maps direction and number of a transfer to its time and amount. */
  const seen = new Map<string, string>();
  /** Maps account and number of a transfer to its direction. */
  const directions = new Map<string, string>();
  let unknownStates = 0;
  let isRepeated = false;
  return {
    period,
    watch,
    repeated: (): void => {
      isRepeated = true;
    },
    hasArrived: (raw: JsonObject, place: AnswerPlace): boolean => {
      const state = readKey(raw, 'estado', place).toUpperCase();
      if (state !== ARRIVED && !NOT_ARRIVED.includes(state)) unknownStates++;
      return state === ARRIVED;
    },
    /**
     * Throws when the lists of two accounts show different transfers under one number, because one transfer would
     * overwrite the other. Also throws when both lists of one account show the number, because money does not go from an
     * account to the same account.
     */
    take: (
      { direction, numero_transaccion, transferred_at, amount }: TransferRow,
      { number }: ListedAccount,
      place: AnswerPlace,
    ): void => {
      const ofAccount = JSON.stringify([number, numero_transaccion]);
      if ((directions.get(ofAccount) ?? direction) !== direction)
        throw unreadable(place, 'numeroTransaccion', 'is in both lists of one account');
      directions.set(ofAccount, direction);
      const key = JSON.stringify([direction, numero_transaccion]);
      const content = JSON.stringify([transferred_at, amount]);
      if ((seen.get(key) ?? content) !== content)
        throw unreadable(place, 'numeroTransaccion', 'is also the number of another transfer');
      seen.set(key, content);
    },
    told: (): Parsed[] => [
      ...watch.noticesWhereKept('bankone.transfers.columns_missing', { period }),
      ...(unknownStates === 0 ? [] : [unknownStatesNotice(period, unknownStates)]),
      ...(isRepeated ? [repeatedNotice(period)] : []),
    ],
  };
};

type Notes = ReturnType<typeof createNotes>;

const unknownStatesNotice = (period: string, count: number): Parsed =>
  notice(
    'bankone.transfers.states_unknown',
    `${period}: ${count} transfer(s) have a state that we do not know, and were not stored.`,
    { period, count },
  );

/**
 * Returns the notice about equal transfers. Two transfers of one batch may be equal; the wire does not show whether the
 * second transfer is real or a copy that replaced a missing transfer.
 */
const repeatedNotice = (period: string): Parsed =>
  notice(
    'bankone.transfers.transfers_repeated',
    `${period}: transfers that have not arrived and have no number came more than once: they are left out, and others may be missing.`,
    { period },
  );

/** True if an equal transfer came before. Remembers the transfer. */
const comesAgain = (seen: Set<string>, raw: JsonObject): boolean => {
  const { size } = seen;
  return seen.add(JSON.stringify(raw)).size === size;
};

function* parseList(
  pages: readonly RawAnswer[],
  account: ListedAccount,
  side: TransferSide,
  month: Notes,
): Generator<Parsed> {
  const unnumbered = new Set<string>();
  for (const answer of pages) {
    const body = parseBody(answer);
    if (body === null) continue;
    checkEcho(body, 'direccion', side.word, answer.key);
    for (const { raw, place } of rowsIn(body, 'transferencias', answer.key)) {
      if (isUnnumbered(raw) && comesAgain(unnumbered, raw)) month.repeated();
      if (!month.hasArrived(raw, place)) continue;
      month.watch.row((key) => raw[key], TRANSFER_KEYS, `${answer.key}, row ${place.row}`, isBlank);
      const row = toRow(raw, { side, account, period: month.period }, place);
      month.take(row, account, place);
      yield { row: { row, raw, answerKey: answer.key } };
    }
  }
}

interface TransferList {
  side: TransferSide;
  account: ListedAccount;
  period: string;
}

const toRow = (raw: JsonObject, { side, account, period }: TransferList, place: AnswerPlace): TransferRow => {
  const { day, instant } = readStamp(raw, 'fecha', place);
  if (!day.startsWith(period)) throw unreadable(place, 'fecha', 'is not in the asked month');
  const currency = readCurrency(raw, 'moneda', place);
  if (currency !== account.currency) throw unreadable(place, 'moneda', 'is not that of the account');
  const text = (field: string) => keptText(raw, field, TRANSFER_KEYS, place);
  return {
    period,
    direction: side.direction,
    transferred_at: instant,
    amount: readAmount(raw, 'monto', currency, place),
    numero_transaccion: readKey(raw, 'numeroTransaccion', place),
    currency,
    subject: text('asunto'),
    counterparty_rut: text('rutContraparte') === undefined ? undefined : readRut(raw, 'rutContraparte', place),
    counterparty_name: text('nombreContraparte'),
    counterparty_bank: text('banco'),
  };
};

const outOfWindow = (period: string, from: string | undefined): Parsed =>
  notice(
    'bankone.transfers.out_of_window',
    `The bank shows transfers of the last ${TRANSFER_DEPTH_MONTHS} months: ${
      from === undefined ? `${period} is not among them` : `of ${period} those since ${from}`
    }.`,
    { period, ...(from === undefined ? {} : { since: from }) },
  );
