/** What the answers of guides carry, key by key (tax.md §7.2, §7.3; decisions.md §5 "Completeness"). */
import type { AnswerKeys, JsonObject } from '../source.ts';

const TOTALS = ['mntNeto', 'mntIVA', 'mntExento', 'mntTotal'];

/** Of rows of guides: other types are read as far as to know that they are none. */
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
  // No caption where there is no event, and no number for some guides (§7.3, §10).
  nullable: ['fechaRecepcion', 'dehDescripcion', 'dhdrCodigo'],
};

/** `request` as `keptRequest` made it. */
export const guideKeys = ({ method }: JsonObject): AnswerKeys =>
  method === 'getResumen' ? GUIDE_TOTAL_KEYS : GUIDE_KEYS;
