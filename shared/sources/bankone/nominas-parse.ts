/** Kept answers of a month → batches with their payments (banks.md §3.1; state words are ASSUMED: told as they come). */
import type { NominaRow, PagoRow } from '#shared/scopes/bankone-nominas.ts';
import type { JsonObject, Parsed, RawAnswer } from '../source.ts';
import { keptAccounts } from './accounts.ts';
import { companyIn } from './company.ts';
import { unexpected } from './envelope.ts';
import { bodyOf, checkEcho, rowsIn } from './kept.ts';
import { readUnsigned } from './money.ts';
import { batchPages, paymentPages } from './nominas-pull.ts';
import { type Place, readCountOrNull, readCurrency, readDay, readRut, readText, unreadable } from './values.ts';

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
      const pages = row.numero_nomina === null ? undefined : payments.get(row.numero_nomina);
      // A batch without number cannot be asked for its payments: what is stored of them stays.
      const pagos = pages === undefined || row.numero_nomina === null ? undefined : readPagos(row.numero_nomina, pages);
      yield { row: { row: pagos === undefined ? row : { ...row, pagos }, raw, answerKey: answer.key } };
    }
  }
}

const toRow = (raw: JsonObject, period: string, place: Place): Omit<NominaRow, 'pagos'> => {
  const currency = readCurrency(raw, 'moneda', place);
  const day = readDay(raw, 'fechaPago', place);
  if (day !== null && !day.startsWith(period)) throw unreadable(place, 'fechaPago', 'is not in the asked month');
  return {
    period,
    numero_nomina: readText(raw, 'numeroNomina', place),
    nomina_date: day,
    tipo: readText(raw, 'tipo', place),
    cuenta_cargo: readText(raw, 'cuentaCargo', place),
    estado: readText(raw, 'estado', place),
    num_registros: readCountOrNull(raw, 'cantidadRegistros', place),
    monto: readUnsigned(raw, 'montoTotal', currency, place),
    currency,
  };
};

const readPagos = (number: string, pages: readonly RawAnswer[]): PagoRow[] => {
  const pagos: PagoRow[] = [];
  for (const answer of pages) {
    const body = bodyOf(answer);
    if (body === null) continue;
    checkEcho(body, 'numeroNomina', number, answer.key);
    for (const { raw, place } of rowsIn(body, 'pagos', answer.key)) pagos.push(toPago(raw, place));
  }
  return pagos;
};

const toPago = (raw: JsonObject, place: Place): PagoRow => {
  const currency = readCurrency(raw, 'moneda', place);
  const text = (field: string) => readText(raw, field, place);
  return {
    linea: readCountOrNull(raw, 'linea', place),
    rut: readRut(raw, 'rut', place),
    nombre: text('nombre'),
    tipo_cuenta: text('tipoCuenta'),
    numero_cuenta: text('numeroCuenta'),
    banco: text('banco'),
    monto: readUnsigned(raw, 'monto', currency, place),
    currency,
    estado: text('estado'),
    mail: text('mail'),
    glosa: text('glosa'),
    motivo_rechazo: text('motivoRechazo'),
  };
};
