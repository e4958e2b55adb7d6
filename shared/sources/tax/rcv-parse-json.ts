/** Rows of `getDetalleCompra` and `getDetalleVenta` (tax.md §4.3). */
import type { RcvRow } from '#shared/scopes/tax-rcv.ts';
import type { Json, JsonObject, ParsedRow } from '../source.ts';
import { directionOf, firstFolio, partiesOf, type Reading, referenceOf, transactionTypeOf } from './rcv-row.ts';
import {
  isBlank,
  type Place,
  present,
  readAmount,
  readDay,
  readInstant,
  readKey,
  readRut,
  readText,
  unreadable,
} from './values.ts';

export function* parseDetail(rows: readonly Json[], reading: Reading, answerKey: string): Generator<ParsedRow> {
  const place: Place = { answerKey, row: 0 };
  for (const raw of rows) {
    place.row++;
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
      throw unreadable(place, 'row', 'is not an object');
    yield { row: toRow(raw, reading, place), raw, answerKey };
  }
}

const toRow = (raw: JsonObject, reading: Reading, place: Place): RcvRow => {
  const text = (field: string) => readText(raw[field], field, place);
  const amount = (field: string) => readAmount(present(raw, field, place), field, place);
  const documentType = typeOf(raw, reading, place);
  return {
    period: reading.period,
    direction: directionOf(reading.operation),
    document_type: documentType,
    folio: readKey(raw.detNroDoc, 'detNroDoc', place),
    ...partiesOf(reading, documentType, rutOf(raw, place), text('detRznSoc')),
    issued_at: readDay(present(raw, 'detFchDoc', place), 'detFchDoc', place),
    received_at: readInstant(raw.detFecRecepcion, 'detFecRecepcion', place),
    net_amount: amount('detMntNeto'),
    exempt_amount: amount('detMntExe'),
    vat_amount: amount('detMntIVA'),
    total_amount: amount('detMntTotal'),
    currency: 'CLP',
    status: statusOf(raw, text),
    estado: reading.estado,
    referenced_document_type: referenceOf(text('detTipoDocRef')),
    referenced_folio: firstFolio(text('detFolioDocRef')),
    acknowledged_at: readInstant(raw.detFecAcuse, 'detFecAcuse', place),
    claimed_at: readInstant(raw.detFecReclamado, 'detFecReclamado', place),
    transaction_type: transactionTypeOf(text('descTipoTransaccion'), text('detTipoTransaccion')),
    source_document_id: text('detCodigo') ?? text('dhdrCodigo'),
  };
};

/** Null in purchases, filled in sales: else the type that was asked for (§4.3). */
const typeOf = (raw: JsonObject, reading: Reading, place: Place): string => {
  const given = readText(raw.detTipoDoc, 'detTipoDoc', place) ?? reading.askedType;
  if (given === null) throw unreadable(place, 'detTipoDoc', 'is missing');
  if (!/^\d{1,4}$/.test(given)) throw unreadable(place, 'detTipoDoc', 'is not a document type');
  return given;
};

/** Body and check digit come apart; a foreign customer is 55555555-5 for everybody (§4.3). */
const rutOf = (raw: JsonObject, place: Place): string => {
  const body = readKey(raw.detRutDoc, 'detRutDoc', place);
  return readRut(`${body}-${readKey(raw.detDvDoc, 'detDvDoc', place)}`, 'detRutDoc', place);
};

const VOIDED = new Set<unknown>([true, 1, 'true', '1', 'S', 'SI']);

/** Caption of the receiver's event, else its code; a voided document says so. Never "accepted" by inference (§9). */
const statusOf = (raw: JsonObject, text: (field: string) => string | null): string | null => {
  if (!isBlank(raw.detAnulado) && VOIDED.has(raw.detAnulado)) return 'Anulado';
  return text('detEventoReceptorLeyenda') ?? text('detEventoReceptor');
};
