/** The ficha as the tender, where the API does not know it: labels by the end of their id (procurement.md §3.1, §5). */
import type { JsonObject } from '../source.ts';
import { plainText } from './elements.ts';
import { type Page, textOf, tidy } from './page.ts';
import { stateKey, typeOfCode } from './terms.ts';
import { readBuyerRut, readShownAmount, readShownMoment, readText } from './values.ts';

const PLACE = 'licitaciones, ficha';
const NO_DATA = /^no hay informaci[oó]n\.?$/i;

/** Words of the page → ISO codes as the API has them (§5, assumed); another word stays as it is. */
const CURRENCIES: Readonly<Record<string, string>> = {
  'peso chileno': 'CLP',
  'pesos chilenos': 'CLP',
  'unidad de fomento': 'CLF',
  'unidades de fomento': 'CLF',
  'dolar americano': 'USD',
  dolar: 'USD',
  euro: 'EUR',
  'unidad tributaria mensual': 'UTM',
};
const CALLS: Readonly<Record<string, string>> = {
  abierto: 'abierta',
  abierta: 'abierta',
  cerrado: 'cerrada',
  cerrada: 'cerrada',
};

/** Small tenders leave out whole sections (§3.1): a label that is not there says nothing. */
const label = (page: Page, id: string): string | null => {
  const text = textOf(page, id);
  const shown = text === undefined ? null : readText(text, id, PLACE);
  return shown === null || NO_DATA.test(shown) ? null : shown;
};

const mapped = (table: Readonly<Record<string, string>>, shown: string | null): string | null =>
  shown === null ? null : (table[stateKey(shown)] ?? shown);

/** With an idoneidad closing the closing may be prose (§3.1): kept in the record alone. */
const closing = (page: Page): string | null => {
  const shown = label(page, 'lblFicha3Cierre');
  const isProse =
    shown !== null && label(page, 'lblFicha3CierreIdoneidad') !== null && !/^\d{1,2}-\d{1,2}-\d{4}/.test(shown);
  return isProse ? null : readShownMoment(shown, 'lblFicha3Cierre', PLACE);
};

const labelMap = (page: Page): JsonObject => {
  const labels: JsonObject = {};
  for (const element of page.elements) {
    const id = /(?:^|_)((?:lbl|lnk)Ficha\d\w+|lbl(?:Num|Nombre)Licitacion)$/.exec(element.attribs.id ?? '')?.[1];
    if (id) labels[id] = tidy(plainText(page, element));
  }
  return labels;
};

export const parseFicha = (page: Page, codigo: string) => {
  const moment = (id: string) => readShownMoment(label(page, id), id, PLACE);
  const state = label(page, 'lblFicha1Estado');
  const row = {
    codigo,
    nombre: label(page, 'lblNombreLicitacion') ?? label(page, 'lblFicha1Nombre'),
    descripcion: label(page, 'lblFicha1Descripcion'),
    estado: state && stateKey(state),
    tipo_licitacion: /\(([A-Z][A-Z0-9])\)\s*$/.exec(label(page, 'lblFicha1Tipo') ?? '')?.[1] ?? typeOfCode(codigo),
    tipo_convocatoria: mapped(CALLS, label(page, 'lblFicha1Convocatoria')),
    moneda: mapped(CURRENCIES, label(page, 'lblFicha1Moneda')),
    monto_estimado: readShownAmount(label(page, 'lblFicha7MontoEstimado'), 'lblFicha7MontoEstimado', PLACE),
    organismo_razon_social: label(page, 'lnkFicha2Razon'),
    organismo_rut: readBuyerRut(label(page, 'lblFicha2RUT'), 'lblFicha2RUT', PLACE),
    unidad_compra: label(page, 'lblFicha2Unidad'),
    region: label(page, 'lblFicha2Region'),
    comuna: label(page, 'lblFicha2Comuna'),
    direccion: label(page, 'lblFicha2Direccion'),
    fecha_publicacion: moment('lblFicha3Publicacion'),
    fecha_inicio_preguntas: moment('lblFicha3Inicio'),
    fecha_fin_preguntas: moment('lblFicha3Fin'),
    fecha_publicacion_respuestas: moment('lblFicha3PublicacionRespuestas'),
    fecha_cierre: closing(page),
    fecha_apertura_tecnica: moment('lblFicha3ActoAperturaTecnica'),
    fecha_apertura_economica: moment('lblFicha3ActoAperturaEconomica'),
    fecha_adjudicacion: moment('lblFicha3Adjudicacion'),
  };
  return { row, raw: labelMap(page) };
};
