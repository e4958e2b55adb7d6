/** Parses rows of `getDetalleCompra` and `getDetalleVenta` (tax.md §4.3). */
import type { RcvRow } from '#shared/scopes/tax-rcv.ts';
import type { AnswerPlace } from '../parsing/values.ts';
import type { Json, JsonObject, ParsedRow } from '../source.ts';
import { keeping } from '../truth/watch-keys.ts';
import { readDetailRows } from './detail-rows.ts';
import { DETAIL_KEYS } from './rcv-keys.ts';
import { checkAsked, type RowTally } from './rcv-reading.ts';
import {
  assignParties,
  parseReference,
  parseReferencedFolio,
  parseTransactionType,
  type RegisterReading,
  readKind,
  toDirection,
} from './rcv-row.ts';
import {
  isBlank,
  readAmount,
  readFolio,
  readGivenDay,
  readInstant,
  readKey,
  readRut,
  readText,
  unreadable,
} from './values.ts';

export const parseDetail = (rows: readonly Json[], reading: RegisterReading, tally: RowTally): Generator<ParsedRow> =>
  readDetailRows(rows, DETAIL_KEYS, tally, (raw, place) => {
    const row = toRow(raw, reading, place);
    checkAsked(row, reading, place);
    return row;
  });

/**
 * Reads a field. The stored value stays if the key is missing, or if the value is null although the wire never has null
 * in this field.
 */
const kept = keeping(DETAIL_KEYS, isBlank);

const toRow = (raw: JsonObject, reading: RegisterReading, place: AnswerPlace): RcvRow => {
  const text = (field: string) => readText(raw[field], field, place);
  const instant = (field: string) => readInstant(raw[field], field, place);
  const amount = (field: string) => readAmount(raw[field], field, place);
  const kind = readKind(typeOf(raw, reading, place), text('detEmisorNota'));
  const referencedType = kept(raw, 'detTipoDocRef', (field) => parseReference(text(field)));
  return {
    period: reading.period,
    direction: toDirection(reading.operation),
    ...kind,
    folio: readFolio(raw.detNroDoc, 'detNroDoc', place),
    ...assignParties(reading, kind, rutOf(raw, place), kept(raw, 'detRznSoc', text)),
    issued_at: readGivenDay(raw.detFchDoc, 'detFchDoc', place),
    received_at: kept(raw, 'detFecRecepcion', instant),
    net_amount: amount('detMntNeto'),
    exempt_amount: amount('detMntExe'),
    vat_amount: amount('detMntIVA'),
    total_amount: amount('detMntTotal'),
    currency: 'CLP',
    status: statusOf(raw, text),
    estado: reading.estado,
    referenced_document_type: referencedType,
    referenced_folio: kept(raw, 'detFolioDocRef', (field) => parseReferencedFolio(text(field), referencedType)),
    acknowledged_at: kept(raw, 'detFecAcuse', instant),
    claimed_at: kept(raw, 'detFecReclamado', instant),
    // If the text is empty, the code may give the value. If the key of the text is missing, the stored value stays.
    transaction_type:
      raw.descTipoTransaccion === undefined
        ? undefined
        : (parseTransactionType(text('descTipoTransaccion'), text('detTipoTransaccion')) ?? undefined),
    source_document_id:
      raw.detCodigo === undefined ? undefined : (text('detCodigo') ?? text('dhdrCodigo') ?? undefined),
  };
};

/**
 * Returns the document type. The field is null in purchases and filled in sales; if null, the requested type is used
 * (§4.3).
 */
const typeOf = (raw: JsonObject, reading: RegisterReading, place: AnswerPlace): string => {
  const given = readText(raw.detTipoDoc, 'detTipoDoc', place) ?? reading.askedType;
  if (given === null) throw unreadable(place, 'detTipoDoc', 'is missing');
  if (!/^\d{1,4}$/.test(given)) throw unreadable(place, 'detTipoDoc', 'is not a document type');
  return given;
};

/**
 * Reads the RUT, which has body and check digit in two fields. Every foreign customer has the RUT 55555555-5 (§4.3).
 */
const rutOf = (raw: JsonObject, place: AnswerPlace): string => {
  const body = readKey(raw.detRutDoc, 'detRutDoc', place);
  return readRut(`${body}-${readKey(raw.detDvDoc, 'detDvDoc', place)}`, 'detRutDoc', place);
};

const VOIDED = new Set<unknown>([true, 1, 'true', '1', 'S', 'SI']);

/**
 * Returns the status: "voided" for a voided document, or else the caption of the receiver's event, or else the code of
 * the event. "Accepted" is never inferred (§9).
 */
const statusOf = (raw: JsonObject, text: (field: string) => string | null): string | null | undefined => {
  if (!isBlank(raw.detAnulado) && VOIDED.has(raw.detAnulado)) return 'Anulado';
  const caption = text('detEventoReceptorLeyenda');
  // The stored status stays if a key is missing: the caption may be more precise than the code, and the flag may mean
  // "voided".
  const isTold = raw.detAnulado !== undefined && raw.detEventoReceptorLeyenda !== undefined;
  if (!isTold || (caption === null && raw.detEventoReceptor === undefined)) return undefined;
  return caption ?? text('detEventoReceptor');
};
