/** Kept detail of the API → the tender (procurement.md §2.4, §2.5, §5). */
import { type Json, type JsonObject, type Parsed, type RawAnswer, SourceError } from '../source.ts';
import { hasSections } from './ficha.ts';
import { isObject, parseJson, parseWritten } from './json.ts';
import { notFound } from './notices.ts';
import { openPage } from './page.ts';
import { parseFicha } from './parse-ficha.ts';
import { stateKey, typeOfCode } from './terms.ts';
import { readBuyerRut, readIsoMoment, readNumber, readText, unreadable } from './values.ts';

const PLACE = 'licitaciones, detail';

const ESTADOS: Readonly<Record<string, string>> = {
  5: 'publicada',
  6: 'cerrada',
  7: 'desierta',
  8: 'adjudicada',
  18: 'revocada',
  19: 'suspendida',
};

const CONVOCATORIAS: Readonly<Record<string, string>> = { 1: 'abierta', 0: 'cerrada' };

const section = (item: JsonObject, name: string): Record<string, unknown> => {
  const value = item[name];
  if (!isObject(value)) throw unreadable(PLACE, name, 'is missing');
  return value;
};

const tenderRow = (item: JsonObject, codigo: string) => {
  const buyer = section(item, 'Comprador');
  const dates = section(item, 'Fechas');
  const award = item.Adjudicacion;
  if (award === undefined || (award !== null && !isObject(award)))
    throw unreadable(PLACE, 'Adjudicacion', 'is neither null nor an object');
  const text = (field: string) => readText(item[field], field, PLACE);
  const buyers = (field: string) => readText(buyer[field], `Comprador.${field}`, PLACE);
  const date = (field: string) => readIsoMoment(dates[field], `Fechas.${field}`, PLACE);
  const state = text('Estado');
  const stateCode = readText(item.CodigoEstado, 'CodigoEstado', PLACE);
  const call = text('TipoConvocatoria');
  const isShown = readText(item.VisibilidadMonto, 'VisibilidadMonto', PLACE) !== '0';
  const amount = readNumber(item.MontoEstimado, 'MontoEstimado', PLACE);
  return {
    codigo,
    nombre: text('Nombre'),
    descripcion: text('Descripcion'),
    estado: state !== null ? stateKey(state) : stateCode && (ESTADOS[stateCode] ?? stateCode),
    tipo_licitacion: text('Tipo') ?? typeOfCode(codigo),
    tipo_convocatoria: call && (CONVOCATORIAS[call] ?? call),
    moneda: text('Moneda'),
    monto_estimado: isShown ? amount : null,
    organismo_razon_social: buyers('NombreOrganismo'),
    organismo_rut: readBuyerRut(buyer.RutUnidad, 'Comprador.RutUnidad', PLACE),
    unidad_compra: buyers('NombreUnidad'),
    region: buyers('RegionUnidad'),
    comuna: buyers('ComunaUnidad'),
    direccion: buyers('DireccionUnidad'),
    fecha_publicacion: date('FechaPublicacion'),
    fecha_inicio_preguntas: date('FechaInicio'),
    fecha_fin_preguntas: date('FechaFinal'),
    fecha_publicacion_respuestas: date('FechaPubRespuestas'),
    // Not the one beside them: that is null in a detail (§2.4).
    fecha_cierre: date('FechaCierre'),
    fecha_apertura_tecnica: date('FechaActoAperturaTecnica'),
    fecha_apertura_economica: date('FechaActoAperturaEconomica'),
    // Planned until the state is `adjudicada`; the award's own date where there is one (§5).
    fecha_adjudicacion: (award && readIsoMoment(award.Fecha, 'Adjudicacion.Fecha', PLACE)) ?? date('FechaAdjudicacion'),
  };
};

export function* parseLicitacion(codigo: string, answers: readonly RawAnswer[]): Generator<Parsed> {
  const detail = answers.find(({ key }) => key === 'detail');
  if (!detail) throw new Error('the detail was not asked for');
  const written = parseWritten(detail.body);
  const raw = parseJson(detail.body);
  if (!isObject(written) || !isObject(raw))
    throw new SourceError('source.unexpected_response', `${PLACE}: the answer is not a JSON object`);
  const item = firstOf(written.Listado);
  if (item !== undefined) {
    return yield {
      row: { row: tenderRow(item, codigo), raw: firstOf(raw.Listado)!, answerKey: detail.key },
    };
  }
  const ficha = answers.find(({ key }) => key === 'ficha');
  const page = ficha && openPage(ficha.body);
  if (!ficha || !page || !hasSections(page)) return yield notFound('licitaciones', codigo);
  yield { row: { ...parseFicha(page, codigo), answerKey: ficha.key } };
}

const firstOf = (list: Json | undefined): JsonObject | undefined => {
  if (list === null) return undefined;
  if (!Array.isArray(list)) throw unreadable(PLACE, 'Listado', 'is missing');
  const [item] = list;
  if (item === undefined) return undefined;
  if (!isObject(item)) throw unreadable(PLACE, 'Listado', 'is not a list of objects');
  return item;
};
