/** Converts the rows of a detail of guides (tax.md §7.3, §10). */
import type { GuiaRow } from '#shared/scopes/tax-guias.ts';
import type { AnswerPlace } from '../parsing/values.ts';
import type { Json, JsonObject, ParsedRow } from '../source.ts';
import { keeping } from '../truth/watch-keys.ts';
import { readDetailRows } from './detail-rows.ts';
import { GUIDE_KEYS } from './guias-keys.ts';
import type { GuideReading, GuideTally } from './guias-reading.ts';
import {
  isBlank,
  readAmount,
  readDay,
  readFolio,
  readGivenDay,
  readKey,
  readRate,
  readRut,
  readText,
  unreadable,
} from './values.ts';

/** Yields the rows of one answer. `tally` is complete after the caller has consumed all rows. */
export const readGuides = (
  rows: readonly Json[],
  rates: readonly (string | undefined)[],
  reading: GuideReading,
  tally: GuideTally,
): Generator<ParsedRow> =>
  readDetailRows(rows, GUIDE_KEYS, tally, (raw, place) =>
    toRow(raw, rates[place.row - 1] ?? raw.tasaImptoIVA, reading, place),
  );

/**
 * Reads a field. The stored value stays if the key is missing, or if the value is null although the wire never has null
 * in this field.
 */
const kept = keeping(GUIDE_KEYS, isBlank);

const toRow = (
  raw: JsonObject,
  rate: unknown,
  { period, direction, type }: GuideReading,
  place: AnswerPlace,
): GuiaRow => {
  const text = (field: string) => readText(raw[field], field, place);
  const amount = (field: string) => readAmount(raw[field], field, place);
  if (type === null) throw unreadable(place, 'tipoDoc', 'is not in the request');
  const folio = readFolio(raw.folio, 'folio', place);
  if (!/^\d{1,18}$/.test(folio)) throw unreadable(place, 'folio', 'is not a number');
  // `*Receptor` is always the other party, also for a received guide, whose issuer is the other party; `*Emisor` is
  // always null (§7.3).
  const rut = `${readKey(raw.rutReceptor, 'rutReceptor', place)}-${readKey(raw.dvReceptor, 'dvReceptor', place)}`;
  const counterparty = readRut(rut, 'rutReceptor', place);
  const { issued_at, received_at } = daysOf(raw, period, place);
  const number = kept(raw, 'dhdrCodigo', text);
  const caption = kept(raw, 'dehDescripcion', text);
  return {
    period,
    direction,
    folio,
    issued_at,
    received_at,
    counterparty_rut: counterparty,
    counterparty_name: kept(raw, 'rznSocRecep', text),
    total_amount: kept(raw, 'mntTotal', amount),
    vat_amount: kept(raw, 'mntIva', amount),
    // The caption is stored unchanged. Code 5 ("no event") has no caption, and the adapter invents no caption for other
    // codes.
    status: caption,
    // If the authority's number is null, the id is built from direction, counterparty and folio (§10).
    source_guide_id: number === null ? `${direction}-${counterparty}-${folio}` : number,
    document_type: type,
    net_amount: kept(raw, 'mntNeto', amount),
    exempt_amount: kept(raw, 'mntExento', amount),
    vat_rate: kept(raw, 'tasaImptoIVA', (field) => readRate(rate, field, place)),
    event_order: kept(raw, 'dehOrdenEvento', (field) => readOrder(text(field), place)),
    event_description: caption,
    dhdr_codigo: number,
  };
};

/** Returns the days of a guide. Throws unless the guide was issued or received in the requested month. */
const daysOf = (raw: JsonObject, period: string, place: AnswerPlace): Pick<GuiaRow, 'issued_at' | 'received_at'> => {
  const issued_at = readGivenDay(raw.fechaEmision, 'fechaEmision', place);
  const received_at = kept(raw, 'fechaRecepcion', (field) => readDay(raw[field], field, place));
  if (!issued_at.startsWith(period) && !received_at?.startsWith(period))
    throw unreadable(place, 'fechaEmision', 'is of another month than was asked for');
  return { issued_at, received_at };
};

const EVENT_NUMBER = /^\d{1,3}$/;

/** Reads the order number of an event: a text, or a small number (§7.3). */
const readOrder = (text: string | null, place: AnswerPlace): string | null => {
  if (text !== null && !EVENT_NUMBER.test(text)) throw unreadable(place, 'dehOrdenEvento', 'is not an event number');
  return text;
};
