/**
 * Builds the tender from the ficha if the API does not know the tender. Labels are found by the end of their id
 * (procurement.md §3.1, §5).
 */
import { canonicalDecimal } from '#shared/values/decimals.ts';
import type { JsonObject } from '../source.ts';
import { ADDRESS_LABELS } from './detail-keys.ts';
import { plainText } from './elements.ts';
import { hasSection } from './ficha.ts';
import { noteAbsent, noteBlank, type TenderNotes } from './notices.ts';
import { findText, type HtmlPage, tidy } from './page.ts';
import { CURRENCIES, foldTerm, stateKey, typeOfCode } from './terms.ts';
import { NO_DATA, readBuyerRut, readShownAmount, readShownMoment, readText } from './values.ts';

const PLACE = 'licitaciones, ficha';

const CALLS: Readonly<Record<string, string>> = {
  abierto: 'abierta',
  abierta: 'abierta',
  cerrado: 'cerrada',
  cerrada: 'cerrada',
};

/** Converts an amount to the form of the API: the ficha shows 2.826,70 for the API's 2826.7. */
const readEstimate = (text: string, currency: string | undefined): string | undefined => {
  const shown = readShownAmount(text, 'lblFicha7MontoEstimado', PLACE, knownCurrency(currency));
  return shown === null ? undefined : canonicalDecimal(shown);
};

/** Returns the number of a label's section; undefined for a label outside the sections, which every ficha has. */
const sectionOf = (id: string): number | undefined => {
  const n = /^(?:lbl|lnk)Ficha(\d)/.exec(id)?.[1];
  return n === undefined ? undefined : Number(n);
};

/**
 * Returns a function that reads a label. Small tenders omit whole sections (§3.1), and for a missing section the stored
 * values stay. If a label is blank or missing from an existing section, this is reported; a blank address only if a
 * stored value stays.
 */
const labelReader =
  (page: HtmlPage, notes: TenderNotes) =>
  (id: string): string | undefined => {
    const text = findText(page, id);
    if (text === undefined) {
      const section = sectionOf(id);
      if (section === undefined || hasSection(page, section)) noteAbsent(notes, id);
      return undefined;
    }
    const shown = readText(text, id, PLACE);
    if (shown === null) noteBlank({ watch: ADDRESS_LABELS.includes(id) ? notes.optional : notes.watch }, [id], PLACE);
    return shown === null || NO_DATA.test(shown) ? undefined : shown;
  };
type Label = ReturnType<typeof labelReader>;

const mapped = (table: Readonly<Record<string, string>>, shown: string | undefined): string | undefined =>
  shown === undefined ? undefined : (table[foldTerm(shown)] ?? shown);

/**
 * Reads the closing date. If the closing depends on idoneidad, the page may show free text instead of a date (§3.1),
 * and only the raw record contains this text.
 */
const closing = (page: HtmlPage, label: Label): string | undefined => {
  const shown = label('lblFicha3Cierre');
  if (shown === undefined) return undefined;
  const isProse = Boolean(findText(page, 'lblFicha3CierreIdoneidad')) && !/^\d{1,2}-\d{1,2}-\d{4}/.test(shown);
  return isProse ? undefined : (readShownMoment(shown, 'lblFicha3Cierre', PLACE) ?? undefined);
};

/** The portal's ids have at most 40 characters; the pattern takes quadratic time. */
const ID_CHARS_MAX = 200;
const LABEL_ID = /(?:^|_)((?:lbl|lnk)Ficha\d\w+|lbl(?:Num|Nombre)Licitacion)$/;

const labelMap = (page: HtmlPage): JsonObject => {
  const labels: JsonObject = {};
  for (const element of page.elements) {
    const { id: whole = '' } = element.attribs;
    const id = whole.length <= ID_CHARS_MAX ? LABEL_ID.exec(whole)?.[1] : undefined;
    if (id) labels[id] = tidy(plainText(page, element));
  }
  return labels;
};

/**
 * Returns the fields of the tender. If a field is undefined, the stored value stays: the ficha adds fields that the API
 * lacks, and erases nothing.
 */
export const parseFicha = (page: HtmlPage, codigo: string, notes: TenderNotes) => {
  const label = labelReader(page, notes);
  const moment = (id: string) => {
    const shown = label(id);
    return shown === undefined ? undefined : (readShownMoment(shown, id, PLACE) ?? undefined);
  };
  const state = label('lblFicha1Estado');
  const moneda = mapped(CURRENCIES, label('lblFicha1Moneda'));
  const amount = label('lblFicha7MontoEstimado');
  const rut = label('lblFicha2RUT');
  const name = findText(page, 'lblNombreLicitacion') ? 'lblNombreLicitacion' : 'lblFicha1Nombre';
  const row = {
    codigo,
    nombre: label(name),
    descripcion: label('lblFicha1Descripcion'),
    estado: state && stateKey(state),
    tipo_licitacion: /\(([A-Z][A-Z0-9])\)\s*$/.exec(label('lblFicha1Tipo') ?? '')?.[1] ?? typeOfCode(codigo),
    tipo_convocatoria: mapped(CALLS, label('lblFicha1Convocatoria')),
    moneda,
    monto_estimado: amount === undefined ? undefined : readEstimate(amount, moneda),
    organismo_razon_social: label('lnkFicha2Razon'),
    organismo_rut: rut === undefined ? undefined : (readBuyerRut(rut, 'lblFicha2RUT', PLACE) ?? undefined),
    unidad_compra: label('lblFicha2Unidad'),
    region: label('lblFicha2Region'),
    comuna: label('lblFicha2Comuna'),
    direccion: label('lblFicha2Direccion'),
    fecha_publicacion: moment('lblFicha3Publicacion'),
    fecha_inicio_preguntas: moment('lblFicha3Inicio'),
    fecha_fin_preguntas: moment('lblFicha3Fin'),
    fecha_publicacion_respuestas: moment('lblFicha3PublicacionRespuestas'),
    fecha_cierre: closing(page, label),
    fecha_apertura_tecnica: moment('lblFicha3ActoAperturaTecnica'),
    fecha_apertura_economica: moment('lblFicha3ActoAperturaEconomica'),
    fecha_adjudicacion: moment('lblFicha3Adjudicacion'),
  };
  return { row, raw: labelMap(page) };
};

const knownCurrency = (moneda: string | undefined): string | null =>
  moneda !== undefined && Object.values(CURRENCIES).includes(moneda) ? moneda : null;
