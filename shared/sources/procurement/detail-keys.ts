/** Keys of a tender's detail (procurement.md §2.4; decisions.md §5 "Completeness"). */
import type { AnswerKeys } from '../source.ts';

/** Keys that are needed for identity, state or amount. `CodigoEstado` gives the state, or else `Estado` (§5). */
export const DETAIL_KEYS: AnswerKeys = {
  rows: ['Listado'],
  required: ['CodigoExterno', 'CodigoEstado', 'Estado', 'Moneda', 'VisibilidadMonto', 'MontoEstimado'],
  reported: ['CodigoEstado', 'Moneda', 'VisibilidadMonto', 'Nombre', 'Descripcion', 'Tipo', 'TipoConvocatoria'],
  nullable: [],
};

export const BUYER_KEYS: AnswerKeys = {
  rows: ['Listado', 'Comprador'],
  required: [],
  reported: ['NombreOrganismo', 'RutUnidad', 'NombreUnidad', 'RegionUnidad'],
  nullable: [],
};

/** Some buyers leave the address of their unit empty (seen: the navy). */
export const ADDRESS_KEYS: AnswerKeys = {
  rows: ['Listado', 'Comprador'],
  required: [],
  reported: ['ComunaUnidad', 'DireccionUnidad'],
  nullable: [],
};

/** Labels of the ficha for the same parts of the address. */
export const ADDRESS_LABELS: readonly string[] = ['lblFicha2Comuna', 'lblFicha2Direccion'];

/** An awarded tender usually has the date of its award. */
export const AWARD_KEYS: AnswerKeys = {
  rows: ['Listado', 'Fechas'],
  required: [],
  reported: ['FechaAdjudicacion'],
  nullable: [],
};

const DATES = [
  ...['FechaPublicacion', 'FechaInicio', 'FechaFinal', 'FechaPubRespuestas', 'FechaCierre'],
  ...['FechaActoAperturaTecnica', 'FechaActoAperturaEconomica', 'FechaAdjudicacion'],
];

/** Any date may be empty, except the date of publication. */
export const DATE_KEYS: AnswerKeys = {
  rows: ['Listado', 'Fechas'],
  required: DATES,
  reported: DATES,
  nullable: DATES.slice(1),
};

/** The parser requires the one of `idP` and `Numero` that holds the id (§3.3). */
export const QUESTION_KEYS: AnswerKeys = {
  rows: [],
  required: ['FechaHora', 'Descripcion', 'RespuestaPublicada'],
  reported: ['FechaHora', 'Descripcion', 'idP', 'Numero'],
  nullable: [],
};

export const ANSWER_KEYS: AnswerKeys = {
  rows: ['RespuestaPublicada'],
  required: ['Descripcion', 'FechaHora'],
  reported: ['Descripcion', 'FechaHora'],
  nullable: [],
};
