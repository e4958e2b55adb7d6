/** One page of movements, newest first (banks.md §3.2). */
import type { BanktwoMovement } from '#shared/scopes/banktwo-movements.ts';
import { DAY_MS } from '#shared/values/dates.ts';
import { isObject } from '../parsing/bodies.ts';
import { type AnswerPlace, present, unreadable } from '../parsing/values.ts';
import type { AnswerKeys, JsonObject } from '../source.ts';
import { isBlank, type KeyWatch, keeping } from '../truth/watch-keys.ts';
import { checkAccount, type ListedAccount } from './accounts.ts';
import { bankName } from './banks.ts';
import { PAGE_ROWS, TRANSACTION_DAYS_AFTER_MAX, TRANSACTION_DAYS_BEFORE_MAX, TRANSACTION_DAYS_TOLD } from './limits.ts';
import type { Window } from './movements-window.ts';
import { keptText, readCentavos, readDay, readKey, readList, readRut } from './values.ts';

/** Mnemonic and category may not exist on the wire (§3.2): a bank without these fields still has movements. */
export const MOVEMENT_KEYS: AnswerKeys = {
  rows: ['movements'],
  required: [
    ...['movementNumber', 'transactionDate', 'accountingDate'],
    ...['movementAmount', 'chargePaymentFlag', 'newBalance'],
  ],
  reported: ['observation', 'mnemonic', 'category', 'counterparty'],
  nullable: ['category', 'counterparty'],
};

export const COUNTERPARTY_KEYS: AnswerKeys = {
  rows: ['movements', 'counterparty'],
  required: [],
  reported: ['rut', 'name', 'bankCode', 'accountNumber'],
  nullable: [],
};

export interface Cursor {
  startMovement: string;
  endMovement: string;
}

export interface PageMovement {
  /** A row with amount and balance, because both are required. */
  row: BanktwoMovement & { amount: string; saldo_contable: string };
  raw: JsonObject;
  isRutFaulty: boolean;
  /** True if the booking was long after the transaction. */
  isBookedLate: boolean;
}

export interface MovementsPage {
  movements: PageMovement[];
  /** Cursor of the next page; null when this page is the last page. */
  next: Cursor | null;
}

export const readPage = (
  body: JsonObject,
  account: ListedAccount,
  window: Window,
  answerKey: string,
): MovementsPage => {
  const place: AnswerPlace = { answerKey, row: 0 };
  checkAccount(body, account, place);
  const rows = readList(body, 'movements', place);
  const exit = present(body, 'repositioningExit', place);
  if (!isObject(exit)) throw unreadable(place, 'repositioningExit', 'is not an object');
  const recovered = readCount(exit.recordRecover, place);
  // The number of rows on the page differs from the bank's count, so rows were lost in transfer.
  if (recovered !== rows.length) throw unreadable(place, 'recordRecover', 'is not the number of movements');
  return {
    movements: rows.map((raw, i) => toMovement(raw, account, window, { answerKey, row: i + 1 })),
    next:
      recovered < PAGE_ROWS
        ? null
        : {
            startMovement: readKey(exit.initialMove, 'initialMove', place),
            endMovement: readKey(exit.finalMove, 'finalMove', place),
          },
  };
};

const readCount = (value: JsonObject[string] | undefined, place: AnswerPlace): number => {
  const text = typeof value === 'number' ? String(value) : readKey(value, 'recordRecover', place);
  if (!/^\d{1,6}$/.test(text)) throw unreadable(place, 'recordRecover', 'is not a count');
  return Number(text);
};

const TIPO = { D: 'C', H: 'A' } as const;
const DIRECTION = { C: 'issued', A: 'received' } as const;

const toMovement = (raw: JsonObject, account: ListedAccount, window: Window, place: AnswerPlace): PageMovement => {
  const { currency } = account;
  const accounting = readDay(raw, 'accountingDate', place);
  // The bank filters by the accounting date, so a row outside the window would be stored in the wrong month.
  if (accounting < window.openingDate || accounting > window.closingDate)
    throw unreadable(place, 'accountingDate', 'is not within the asked days');
  const amount = readCentavos(raw, 'movementAmount', currency, place);
  const tipo = tipoOf(raw, amount, place);
  const { counterparty, isRutFaulty } = counterpartyOf(raw, place);
  const { day, isBookedLate } = transactionDay(raw, accounting, place);
  const row = {
    period: accounting.slice(0, 'YYYY-MM'.length),
    numero_cuenta: account.number,
    fecha_movimiento: day,
    fecha_contable: accounting,
    descripcion: descriptionOf(raw, place),
    amount,
    saldo_contable: readCentavos(raw, 'newBalance', currency, place),
    tipo,
    mnemonico: keptText(raw, 'mnemonic', MOVEMENT_KEYS, place),
    direction: DIRECTION[tipo],
    category: keptText(raw, 'category', MOVEMENT_KEYS, place),
    ...counterparty,
    movement_number: numberOf(raw, place),
  } satisfies BanktwoMovement;
  return { row, raw, isRutFaulty, isBookedLate };
};

/** Reads the day of the transaction. Throws when this day is far from the day of the booking. */
const transactionDay = (
  raw: JsonObject,
  accounting: string,
  place: AnswerPlace,
): { day: string; isBookedLate: boolean } => {
  const day = readDay(raw, 'transactionDate', place);
  const days = (Date.parse(accounting) - Date.parse(day)) / DAY_MS;
  if (days > TRANSACTION_DAYS_BEFORE_MAX || -days > TRANSACTION_DAYS_AFTER_MAX)
    throw unreadable(place, 'transactionDate', 'is far from accountingDate');
  return { day, isBookedLate: days > TRANSACTION_DAYS_TOLD };
};

/**
 * Returns the type of the movement, charge or credit. The flag must agree with the sign of the amount; zero has no
 * sign.
 */
const tipoOf = (raw: JsonObject, amount: string, place: AnswerPlace): 'C' | 'A' => {
  const flag = readKey(present(raw, 'chargePaymentFlag', place), 'chargePaymentFlag', place);
  if (flag !== 'D' && flag !== 'H') throw unreadable(place, 'chargePaymentFlag', 'is neither D nor H');
  const isZero = /^0(?:\.0+)?$/.test(amount);
  if (!isZero && amount.startsWith('-') !== (flag === 'D'))
    throw unreadable(place, 'chargePaymentFlag', 'does not agree with the sign of movementAmount');
  return TIPO[flag];
};

/**
 * Returns the movement number without leading zeros, because the bank may write the same number with or without them
 * (part 2).
 */
const numberOf = (raw: JsonObject, place: AnswerPlace): string => {
  const number = readKey(present(raw, 'movementNumber', place), 'movementNumber', place);
  if (!/^\w{1,40}$/.test(number)) throw unreadable(place, 'movementNumber', 'is not a movement number');
  return number.replace(/^0+(?=.)/, '');
};

/** Returns `observation`, or the longer text `expandedCode` if `observation` is empty (§3.2 mapping). */
const descriptionIn = (raw: JsonObject): JsonObject[string] | undefined =>
  isBlank(raw.observation) && !isBlank(raw.expandedCode) ? raw.expandedCode : raw.observation;

const descriptionOf = (raw: JsonObject, place: AnswerPlace): string | null | undefined => {
  const observation = descriptionIn(raw);
  return keptText(observation === undefined ? {} : { observation }, 'observation', MOVEMENT_KEYS, place);
};

/** Records missing or empty keys of a movement and of its counterparty. */
export const watchMovement = (raw: JsonObject, watch: KeyWatch, counterparties: KeyWatch, where: string): void => {
  watch.row((key) => (key === 'observation' ? descriptionIn(raw) : raw[key]), MOVEMENT_KEYS, where, isBlank);
  const { counterparty } = raw;
  if (isObject(counterparty)) counterparties.row((key) => counterparty[key], COUNTERPARTY_KEYS, where, isBlank);
};

type Counterparty = Pick<
  BanktwoMovement,
  'counterparty_rut' | 'counterparty_name' | 'counterparty_bank' | 'counterparty_account'
>;

const NOBODY: Counterparty = {
  counterparty_rut: null,
  counterparty_name: null,
  counterparty_bank: null,
  counterparty_account: null,
};

const counterpartyOf = (
  raw: JsonObject,
  place: AnswerPlace,
): { counterparty: Partial<Counterparty>; isRutFaulty: boolean } => {
  const value = raw.counterparty;
  if (value === undefined) return { counterparty: {}, isRutFaulty: false };
  if (value === null) return { counterparty: NOBODY, isRutFaulty: false };
  if (!isObject(value)) throw unreadable(place, 'counterparty', 'is not an object');
  const text = (field: string) => keptText(value, field, COUNTERPARTY_KEYS, place);
  const { rut, isFaulty } = keeping(COUNTERPARTY_KEYS, isBlank)(value, 'rut', () =>
    readRut(value.rut, 'counterparty.rut', place),
  ) ?? { rut: undefined, isFaulty: false };
  const bank = text('bankCode');
  const counterparty = {
    counterparty_rut: rut,
    counterparty_name: text('name'),
    counterparty_bank: bank === undefined ? undefined : bankName(bank),
    counterparty_account: text('accountNumber'),
  };
  return { counterparty, isRutFaulty: isFaulty };
};
