/**
 * Parses the stored answers of a month into batches with their payments (banks.md §3.1). The names of states are
 * ASSUMED and stored as the bank sends them.
 */
import { Big } from 'big.js';
import type { NominaRow, PagoRow } from '#shared/scopes/bankone-nominas.ts';
import { accountKey } from '#shared/values/statements.ts';
import { notice, unexpected } from '../parsing/results.ts';
import { type AnswerPlace, unreadable } from '../parsing/values.ts';
import type { AnswerKeys, JsonObject, Parsed, RawAnswer } from '../source.ts';
import { tellAccounts } from '../truth/gone-accounts.ts';
import { isBlank, type KeyWatch, watchKeys } from '../truth/watch-keys.ts';
import { keptAccounts } from './accounts.ts';
import { companyIn } from './company.ts';
import { checkEcho, parseBody, rowsIn } from './kept.ts';
import { readAmount } from './money.ts';
import type { MovementsMonth } from './movements-pull.ts';
import { batchPages, paymentPages } from './nominas-pull.ts';
import { keptText, readCount, readCurrency, readDay, readKey, readRut } from './values.ts';

/** The payment day decides the month of a batch; count and total are compared with the payments of the batch. */
export const BATCH_KEYS: AnswerKeys = {
  rows: ['nominas'],
  required: ['numeroNomina', 'fechaPago', 'cantidadRegistros', 'montoTotal', 'moneda'],
  reported: ['tipo', 'cuentaCargo', 'estado'],
  nullable: [],
};

export const PAYMENT_KEYS: AnswerKeys = {
  rows: ['pagos'],
  required: ['linea', 'monto', 'moneda'],
  reported: [
    ...['rut', 'nombre', 'tipoCuenta', 'numeroCuenta', 'banco', 'estado'],
    ...['mail', 'glosa', 'motivoRechazo'],
  ],
  // The portal writes an empty text when a payment has no value for these fields (§3.1).
  nullable: ['mail', 'glosa', 'motivoRechazo'],
};

export function* parseNominas({ period, known }: MovementsMonth, answers: readonly RawAnswer[]): Generator<Parsed> {
  const { accounts, company } = keptAccounts(answers);
  yield* tellAccounts('bankone', accounts, known);
  const own = new Set([...accounts.map(({ number }) => accountKey(number)), ...(known?.accounts ?? [])]);
  const payments = paymentPages(answers);
  const watch = watchKeys();
  let strange = 0;
  for (const { raw, place } of batchesIn(answers, company)) {
    watch.row((key) => raw[key], BATCH_KEYS, `${place.answerKey}, row ${place.row}`, isBlank);
    const row = toRow(raw, period, place);
    const pagos = readPagos(row.numero_nomina, payments.get(row.numero_nomina) ?? [], watch);
    checkWhole(row, pagos, place);
    if (typeof row.cuenta_cargo === 'string' && !own.has(accountKey(row.cuenta_cargo))) strange++;
    yield { row: { row: { ...row, pagos }, raw, answerKey: place.answerKey } };
    const figures = { num_registros: String(row.num_registros), monto: row.monto };
    yield { total: { group: { numero_nomina: row.numero_nomina }, figures } };
  }
  // The batch is stored although its account is not in the list, because an account that is now closed may have paid
  // it.
  if (strange > 0)
    yield notice(
      'bankone.nominas.accounts_unknown',
      `${period}: ${strange} batch(es) name an account that the bank does not list.`,
      { period, count: strange },
    );
  yield* watch.notice('bankone.nominas.columns_missing', { period });
}

function* batchesIn(answers: readonly RawAnswer[], company: string | null): ReturnType<typeof rowsIn> {
  for (const answer of batchPages(answers)) {
    const body = parseBody(answer);
    if (body === null) continue;
    // The list of batches is not about one account, so only the company connects it with all other answers.
    if (company !== null && companyIn(body, answer.key) !== company)
      throw unexpected(answer.key, 'batches of another company');
    yield* rowsIn(body, 'nominas', answer.key);
  }
}

/** Number, count and total are required: without them the payments cannot be checked for completeness. */
type ListedBatch = Omit<NominaRow, 'pagos'> & { num_registros: number; monto: string };

/**
 * Throws when the payments do not match the batch's count and total, because the payments replace the stored payments.
 */
const checkWhole = ({ num_registros, monto }: ListedBatch, pagos: readonly WholePago[], place: AnswerPlace): void => {
  if (pagos.length !== num_registros) throw unreadable(place, 'cantidadRegistros', 'is not the number of payments');
  const sum = pagos.reduce((total, pago) => total.plus(pago.monto), new Big(0));
  if (!sum.eq(monto)) throw unreadable(place, 'montoTotal', 'is not the sum of the payments');
};

const toRow = (raw: JsonObject, period: string, place: AnswerPlace): ListedBatch => {
  const currency = readCurrency(raw, 'moneda', place);
  const day = readDay(raw, 'fechaPago', place);
  if (!day?.startsWith(period)) throw unreadable(place, 'fechaPago', 'is not in the asked month');
  const text = (field: string) => keptText(raw, field, BATCH_KEYS, place);
  return {
    period,
    numero_nomina: readKey(raw, 'numeroNomina', place),
    nomina_date: day,
    tipo: text('tipo'),
    cuenta_cargo: text('cuentaCargo'),
    estado: text('estado'),
    num_registros: readCount(raw, 'cantidadRegistros', place),
    monto: readAmount(raw, 'montoTotal', currency, place),
    currency,
  };
};

/** A payment with an amount, because the amount is required. */
type WholePago = PagoRow & { monto: string };

const readPagos = (number: string, pages: readonly RawAnswer[], watch: KeyWatch): WholePago[] => {
  const pagos: WholePago[] = [];
  for (const answer of pages) {
    const body = parseBody(answer);
    if (body === null) continue;
    checkEcho(body, 'numeroNomina', number, answer.key);
    for (const { raw, place } of rowsIn(body, 'pagos', answer.key)) {
      watch.row((key) => raw[key], PAYMENT_KEYS, `${answer.key}, row ${place.row}`, isBlank);
      pagos.push(toPago(raw, place));
    }
  }
  return pagos;
};

/** Reads the line number, which starts at 1. */
const readLine = (raw: JsonObject, place: AnswerPlace): number => {
  const line = readCount(raw, 'linea', place);
  if (line === 0) throw unreadable(place, 'linea', 'is not a line of the batch');
  return line;
};

const toPago = (raw: JsonObject, place: AnswerPlace): WholePago => {
  const currency = readCurrency(raw, 'moneda', place);
  const text = (field: string) => keptText(raw, field, PAYMENT_KEYS, place);
  return {
    linea: readLine(raw, place),
    rut: text('rut') === undefined ? undefined : readRut(raw, 'rut', place),
    nombre: text('nombre'),
    tipo_cuenta: text('tipoCuenta'),
    numero_cuenta: text('numeroCuenta'),
    banco: text('banco'),
    monto: readAmount(raw, 'monto', currency, place),
    currency,
    estado: text('estado'),
    mail: text('mail'),
    glosa: text('glosa'),
    motivo_rechazo: text('motivoRechazo'),
  };
};
