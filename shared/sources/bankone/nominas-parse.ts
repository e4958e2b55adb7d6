/** Kept answers of a month → batches with their payments (banks.md §3.1; state words are ASSUMED: told as they come). */
import { Big } from 'big.js';
import type { NominaRow, PagoRow } from '#shared/scopes/bankone-nominas.ts';
import type { JsonObject, Parsed, RawAnswer } from '../source.ts';
import { keptAccounts } from './accounts.ts';
import { companyIn } from './company.ts';
import { unexpected } from './envelope.ts';
import { bodyOf, checkEcho, rowsIn } from './kept.ts';
import { readAmount } from './money.ts';
import { batchPages, paymentPages } from './nominas-pull.ts';
import { type Place, readCount, readCurrency, readDay, readKey, readRut, readText, unreadable } from './values.ts';

export function* parseNominas(period: string, answers: readonly RawAnswer[]): Generator<Parsed> {
  const { company } = keptAccounts(answers);
  const payments = paymentPages(answers);
  for (const answer of batchPages(answers)) {
    const body = bodyOf(answer);
    if (body === null) continue;
    // Batches name no account: the company alone ties them to the rest.
    if (company !== null && companyIn(body, answer.key) !== company)
      throw unexpected(answer.key, 'batches of another company');
    for (const { raw, place } of rowsIn(body, 'nominas', answer.key)) {
      const row = toRow(raw, period, place);
      const pagos = readPagos(row.numero_nomina, payments.get(row.numero_nomina) ?? []);
      checkWhole(row, pagos, place);
      yield { row: { row: { ...row, pagos }, raw, answerKey: answer.key } };
    }
  }
}

/** Number, count and total are always there: without them nobody knows whether the payments are all there are. */
type Batch = Omit<NominaRow, 'pagos'> & { numero_nomina: string; num_registros: number; monto: string };

/** The payments replace those that are stored: as many must have come as the batch counts, and add up to its total. */
const checkWhole = ({ num_registros, monto }: Batch, pagos: readonly WholePago[], place: Place): void => {
  if (pagos.length !== num_registros) throw unreadable(place, 'cantidadRegistros', 'is not the number of payments');
  const sum = pagos.reduce((total, pago) => total.plus(pago.monto), new Big(0));
  if (!sum.eq(monto)) throw unreadable(place, 'montoTotal', 'is not the sum of the payments');
};

const toRow = (raw: JsonObject, period: string, place: Place): Batch => {
  const currency = readCurrency(raw, 'moneda', place);
  const day = readDay(raw, 'fechaPago', place);
  if (day !== null && !day.startsWith(period)) throw unreadable(place, 'fechaPago', 'is not in the asked month');
  return {
    period,
    numero_nomina: readKey(raw, 'numeroNomina', place),
    nomina_date: day,
    tipo: readText(raw, 'tipo', place),
    cuenta_cargo: readText(raw, 'cuentaCargo', place),
    estado: readText(raw, 'estado', place),
    num_registros: readCount(raw, 'cantidadRegistros', place),
    monto: readAmount(raw, 'montoTotal', currency, place),
    currency,
  };
};

/** Line and amount are always there. */
type WholePago = PagoRow & { linea: number; monto: string };

const readPagos = (number: string, pages: readonly RawAnswer[]): WholePago[] => {
  const pagos: WholePago[] = [];
  for (const answer of pages) {
    const body = bodyOf(answer);
    if (body === null) continue;
    checkEcho(body, 'numeroNomina', number, answer.key);
    for (const { raw, place } of rowsIn(body, 'pagos', answer.key)) pagos.push(toPago(raw, place));
  }
  return pagos;
};

/** Counted from 1. */
const readLine = (raw: JsonObject, place: Place): number => {
  const line = readCount(raw, 'linea', place);
  if (line === 0) throw unreadable(place, 'linea', 'is not a line of the batch');
  return line;
};

const toPago = (raw: JsonObject, place: Place): WholePago => {
  const currency = readCurrency(raw, 'moneda', place);
  const text = (field: string) => readText(raw, field, place);
  return {
    linea: readLine(raw, place),
    rut: readRut(raw, 'rut', place),
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
