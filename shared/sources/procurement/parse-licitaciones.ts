/** Parses the stored detail of the API into the tender (procurement.md §2.4, §2.5, §5). */
import { requireKept } from '../parsing/kept.ts';
import { unexpected } from '../parsing/results.ts';
import type { Json, JsonObject, Parsed, RawAnswer } from '../source.ts';
import { ADDRESS_KEYS, AWARD_KEYS, BUYER_KEYS, DATE_KEYS, DETAIL_KEYS } from './detail-keys.ts';
import { isKnownTender } from './ficha.ts';
import { isWrittenObject, parseWritten, takePart, type Written, written } from './json.ts';
import { notFound, type TenderNotes, tellNotes, tenderNotes, watchWritten } from './notices.ts';
import { openPage } from './page.ts';
import { parseFicha } from './parse-ficha.ts';
import { namedState, STATE_CODES, stateKey, typeOfCode } from './terms.ts';
import { readBuyerRut, readIsoMoment, readNumber, readText, unreadable } from './values.ts';

const PLACE = 'licitaciones, detail';

const CONVOCATORIAS: Readonly<Record<string, string>> = { 1: 'abierta', 0: 'cerrada' };

const section = (item: Written<JsonObject>, name: string): Written<JsonObject> => {
  const part = takePart(item, name);
  if (!isWrittenObject(part)) throw unreadable(PLACE, name, 'is missing');
  return part;
};

/**
 * Returns the state of the tender. A known number decides, because the words vary. Throws if the word is that of another
 * known state.
 */
const stateOf = (item: Written<JsonObject>): string | undefined => {
  const shown = keptText(item, 'Estado', 'Estado');
  const code = keptText(item, 'CodigoEstado', 'CodigoEstado');
  const known = code === undefined ? undefined : STATE_CODES.get(code);
  const named = shown && namedState(shown);
  if (known && named && named !== known) throw unreadable(PLACE, 'Estado', 'is not that of CodigoEstado');
  return known ?? (shown === undefined ? code : stateKey(shown));
};

/** Returns the text of a field. Undefined when the field is missing or empty, and the stored value stays. */
const keptText = (part: Written<JsonObject>, field: string, place: string): string | undefined => {
  const value = written(part, field);
  return value === undefined ? undefined : (readText(value, place, PLACE) ?? undefined);
};

const tenderRow = (item: Written<JsonObject>, codigo: string, notes: TenderNotes) => {
  const buyer = section(item, 'Comprador');
  const dates = section(item, 'Fechas');
  watchWritten(item, DETAIL_KEYS, PLACE, notes);
  watchWritten(buyer, BUYER_KEYS, PLACE, notes);
  watchWritten(buyer, ADDRESS_KEYS, PLACE, { watch: notes.optional });
  watchWritten(dates, DATE_KEYS, PLACE, notes);
  const text = (field: string) => keptText(item, field, field);
  const buyers = (field: string) => keptText(buyer, field, `Comprador.${field}`);
  const date = (field: string) => readIsoMoment(written(dates, field), `Fechas.${field}`, PLACE);
  const estado = stateOf(item);
  const award = date('FechaAdjudicacion');
  const lacksAward = estado === 'adjudicada' && award === null;
  if (lacksAward) watchWritten(dates, AWARD_KEYS, PLACE, { watch: notes.optional });
  const call = text('TipoConvocatoria');
  const visible = text('VisibilidadMonto');
  const amount = readNumber(written(item, 'MontoEstimado'), 'MontoEstimado', PLACE);
  const rut = buyers('RutUnidad');
  return {
    codigo,
    nombre: text('Nombre'),
    descripcion: text('Descripcion'),
    estado,
    tipo_licitacion: text('Tipo') ?? typeOfCode(codigo),
    tipo_convocatoria: call && (CONVOCATORIAS[call] ?? call),
    moneda: text('Moneda'),
    monto_estimado: visible === undefined ? undefined : visible === '0' ? null : amount,
    organismo_razon_social: buyers('NombreOrganismo'),
    organismo_rut: rut && (readBuyerRut(rut, 'Comprador.RutUnidad', PLACE) ?? undefined),
    unidad_compra: buyers('NombreUnidad'),
    region: buyers('RegionUnidad'),
    comuna: buyers('ComunaUnidad'),
    direccion: buyers('DireccionUnidad'),
    fecha_publicacion: date('FechaPublicacion') ?? undefined,
    fecha_inicio_preguntas: date('FechaInicio'),
    fecha_fin_preguntas: date('FechaFinal'),
    fecha_publicacion_respuestas: date('FechaPubRespuestas'),
    // The date comes from `Fechas`, because the field of the same name outside `Fechas` is null in a detail (§2.4).
    fecha_cierre: date('FechaCierre'),
    fecha_apertura_tecnica: date('FechaActoAperturaTecnica'),
    fecha_apertura_economica: date('FechaActoAperturaEconomica'),
    // Until the state is `adjudicada` this is a planned date. `Adjudicacion.Fecha` is the date of the administrative act
    // and not of the award (§2.4).
    fecha_adjudicacion: lacksAward ? undefined : award,
  };
};

interface TenderDates {
  fecha_publicacion?: string | undefined;
  fecha_cierre?: string | null | undefined;
}

const noteDates = ({ fecha_publicacion: published, fecha_cierre: closes }: TenderDates, notes: TenderNotes): void => {
  if (published && closes && closes < published)
    notes.told.set('dates_reversed', 'the closing date is before the date of publication.');
};

export function* parseLicitacion(codigo: string, answers: readonly RawAnswer[]): Generator<Parsed> {
  const detail = requireKept(answers, 'detail', 'the detail was not');
  const answer = parseWritten(detail.body);
  if (!isWrittenObject(answer)) throw unexpected(PLACE, 'the answer is not a JSON object');
  const notes = tenderNotes();
  const item = firstOf(takePart(answer, 'Listado'));
  if (item) {
    const row = tenderRow(item, codigo, notes);
    noteDates(row, notes);
    yield { row: { row, raw: item.plain, answerKey: detail.key } };
    return yield* tellNotes('licitaciones', codigo, notes);
  }
  const ficha = requireKept(answers, 'ficha', 'the ficha was not');
  const page = openPage(ficha.body);
  if (!isKnownTender(page, codigo)) return yield notFound('licitaciones', codigo);
  const shown = parseFicha(page, codigo, notes);
  noteDates(shown.row, notes);
  yield { row: { ...shown, answerKey: ficha.key } };
  yield* tellNotes('licitaciones', codigo, notes);
}

const firstOf = ({ plain, exact }: Written): Written<JsonObject> | undefined => {
  if (plain === null) return undefined;
  if (!Array.isArray(plain)) throw unreadable(PLACE, 'Listado', 'is missing');
  const item = { plain: plain[0], exact: (exact as Json[])[0] };
  if (item.plain === undefined) return undefined;
  if (!isWrittenObject(item)) throw unreadable(PLACE, 'Listado', 'is not a list of objects');
  return item;
};
