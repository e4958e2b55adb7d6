/** Keys that answers about guides contain (tax.md §7.2, §7.3; decisions.md §5 "Completeness"). */
import type { AnswerKeys, JsonObject } from '../source.ts';

const TOTALS = ['mntNeto', 'mntIVA', 'mntExento', 'mntTotal'];

/** Keys of summary rows about guides. A row of another document type is read only far enough to recognize its type. */
export const GUIDE_TOTAL_KEYS: AnswerKeys = {
  rows: ['data', 'resumenDte'],
  required: ['tipoDoc', 'totalDoc'],
  reported: [...TOTALS, 'periodo', 'rut'],
  nullable: [],
};

const AMOUNTS = ['mntNeto', 'mntExento', 'mntIva', 'mntTotal'];

export const GUIDE_KEYS: AnswerKeys = {
  rows: ['dataResp', 'detalles'],
  required: ['rutReceptor', 'dvReceptor', 'folio', 'fechaEmision', ...AMOUNTS],
  reported: [
    ...AMOUNTS,
    'rznSocRecep',
    'fechaRecepcion',
    'tasaImptoIVA',
    'dehOrdenEvento',
    'dehDescripcion',
    'dhdrCodigo',
  ],
  // The caption (`dehDescripcion`) is null if there is no event, and some guides have no number (`dhdrCodigo`) (§7.3,
  // §10).
  nullable: ['fechaRecepcion', 'dehDescripcion', 'dhdrCodigo'],
};

/** Returns the keys of an answer. The argument is the answer's `request`, which `keptRequest` built. */
export const guideKeys = ({ method }: JsonObject): AnswerKeys =>
  method === 'getResumen' ? GUIDE_TOTAL_KEYS : GUIDE_KEYS;
