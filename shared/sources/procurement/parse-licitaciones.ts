/** Kept detail of the API → the tender (procurement.md §2.4, §2.5, §5). */
import { type Json, type JsonObject, type Parsed, type RawAnswer, SourceError } from '../source.ts';
import { hasSections } from './ficha.ts';
import { isWrittenObject, parseWritten, partOf, type Written, written } from './json.ts';
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

const section = (item: Written<JsonObject>, name: string): Written<JsonObject> => {
  const part = partOf(item, name);
  if (!isWrittenObject(part)) throw unreadable(PLACE, name, 'is missing');
  return part;
};

const tenderRow = (item: Written<JsonObject>, codigo: string) => {
  const buyer = section(item, 'Comprador');
  const dates = section(item, 'Fechas');
  const awarded = partOf(item, 'Adjudicacion');
  const award = isWrittenObject(awarded) ? awarded : null;
  if (!award && awarded.plain !== null) throw unreadable(PLACE, 'Adjudicacion', 'is neither null nor an object');
  const text = (field: string) => readText(written(item, field), field, PLACE);
  const buyers = (field: string) => readText(written(buyer, field), `Comprador.${field}`, PLACE);
  const date = (field: string) => readIsoMoment(written(dates, field), `Fechas.${field}`, PLACE);
  const state = text('Estado');
  const stateCode = text('CodigoEstado');
  const call = text('TipoConvocatoria');
  const isShown = text('VisibilidadMonto') !== '0';
  const amount = readNumber(written(item, 'MontoEstimado'), 'MontoEstimado', PLACE);
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
    organismo_rut: readBuyerRut(written(buyer, 'RutUnidad'), 'Comprador.RutUnidad', PLACE),
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
    fecha_adjudicacion:
      (award && readIsoMoment(written(award, 'Fecha'), 'Adjudicacion.Fecha', PLACE)) ?? date('FechaAdjudicacion'),
  };
};

export function* parseLicitacion(codigo: string, answers: readonly RawAnswer[]): Generator<Parsed> {
  const detail = answers.find(({ key }) => key === 'detail');
  if (!detail) throw new Error('the detail was not asked for');
  const answer = parseWritten(detail.body);
  if (!isWrittenObject(answer))
    throw new SourceError('source.unexpected_response', `${PLACE}: the answer is not a JSON object`);
  const item = firstOf(partOf(answer, 'Listado'));
  if (item) return yield { row: { row: tenderRow(item, codigo), raw: item.plain, answerKey: detail.key } };
  const ficha = answers.find(({ key }) => key === 'ficha');
  const page = ficha && openPage(ficha.body);
  if (!ficha || !page || !hasSections(page)) return yield notFound('licitaciones', codigo);
  yield { row: { ...parseFicha(page, codigo), answerKey: ficha.key } };
}

const firstOf = ({ plain, exact }: Written): Written<JsonObject> | undefined => {
  if (plain === null) return undefined;
  if (!Array.isArray(plain)) throw unreadable(PLACE, 'Listado', 'is missing');
  const item = { plain: plain[0], exact: (exact as Json[])[0] };
  if (item.plain === undefined) return undefined;
  if (!isWrittenObject(item)) throw unreadable(PLACE, 'Listado', 'is not a list of objects');
  return item;
};
