/** Keys that answers about guides contain (tax.md §7.2, §7.3; decisions.md §5 "Completeness"). */
import type { AnswerKeys, JsonObject } from '../source.ts';

const TOTALS = ['mntNeto', 'mntIVA', 'mntExento', 'mntTotal'];

/** For rows of guides only; rows of other types are read just far enough to recognize their type. */
export const GUIDE_TOTAL_KEYS: AnswerKeys = {
  rows: ['data', 'resumenDte'],
  required: ['tipoDoc', 'totalDoc'],
  told: [...TOTALS, 'periodo', 'rut'],
  nullable: [],
};

const AMOUNTS = ['mntNeto', 'mntExento', 'mntIva', 'mntTotal'];

export const GUIDE_KEYS: AnswerKeys = {
  rows: ['dataResp', 'detalles'],
  required: ['rutReceptor', 'dvReceptor', 'folio', 'fechaEmision', ...AMOUNTS],
  told: [...AMOUNTS, 'rznSocRecep', 'fechaRecepcion', 'tasaImptoIVA', 'dehOrdenEvento', 'dehDescripcion', 'dhdrCodigo'],
  // The caption is null when there is no event; some guides have no number (§7.3, §10).
  nullable: ['fechaRecepcion', 'dehDescripcion', 'dhdrCodigo'],
};

/** `request` as built by `keptRequest`. */
export const guideKeys = ({ method }: JsonObject): AnswerKeys =>
  method === 'getResumen' ? GUIDE_TOTAL_KEYS : GUIDE_KEYS;
