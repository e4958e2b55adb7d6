/** Keys that the register's answers contain (tax.md §4.2, §4.3, §5; decisions.md §5 "Completeness"). */
import type { AnswerKeys, JsonObject } from '../source.ts';
import type { WireOperation } from './wire.ts';

export const SUMMARY_KEYS: AnswerKeys = {
  rows: ['data'],
  required: [
    ...['rsmnTipoDocInteger', 'rsmnTotDoc', 'rsmnMntNeto', 'rsmnMntIVA', 'rsmnMntTotal'],
    ...['dcvTipoIngresoDoc', 'rsmnLink'],
  ],
  reported: ['rsmnMntExe'],
  nullable: [],
};

/** Amounts that may be empty, for example in credit notes. An empty amount means zero (§9). */
const DETAIL_AMOUNTS = ['detMntExe', 'detMntNeto', 'detMntIVA', 'detMntTotal'];

export const DETAIL_KEYS: AnswerKeys = {
  rows: ['data'],
  required: ['detRutDoc', 'detDvDoc', 'detNroDoc', 'detFchDoc', ...DETAIL_AMOUNTS],
  reported: [
    ...['detTipoDoc', 'detRznSoc', 'detFecRecepcion', 'detFecAcuse', 'detFecReclamado'],
    ...['detTipoDocRef', 'detFolioDocRef', 'detTipoTransaccion', 'descTipoTransaccion'],
    ...['detEventoReceptor', 'detEventoReceptorLeyenda', 'detAnulado', 'detCodigo', 'dhdrCodigo', 'detEmisorNota'],
  ],
  nullable: [
    ...DETAIL_AMOUNTS,
    ...['detTipoDoc', 'detFecAcuse', 'detFecReclamado', 'detTipoDocRef', 'detFolioDocRef', 'detTipoTransaccion'],
    ...['detEventoReceptor', 'detEventoReceptorLeyenda', 'detAnulado', 'detEmisorNota'],
  ],
};

/** Names of columns that differ between purchases and sales, as `nameOf` in `rcv-parse-csv.ts` normalizes them. */
export const FILE_COLUMNS = {
  COMPRA: { rut: 'rut proveedor', vat: 'monto iva recuperable', kind: 'tipo compra', acknowledged: 'fecha acuse' },
  VENTA: { rut: 'rut cliente', vat: 'monto iva', kind: 'tipo venta', acknowledged: 'fecha acuse recibo' },
} as const satisfies Record<WireOperation, Record<string, string>>;

/** Column of the mark on notes on purchase invoices (§8.1). */
export const NOTE_MARK = 'nce o nde sobre fact. de compra';

const REFERENCES = ['tipo docto. referencia', 'folio docto. referencia'];

/** Returns the columns that depend on the state (§5): a pending purchase has no column for acknowledgement or claim. */
const eventColumns = (operation: WireOperation, estado: string): string[] => {
  if (operation === 'VENTA') return [FILE_COLUMNS.VENTA.acknowledged, 'fecha reclamo', ...REFERENCES];
  if (estado === 'PENDIENTE') return [];
  return [estado === 'RECLAMADO' ? 'fecha reclamo' : FILE_COLUMNS.COMPRA.acknowledged];
};

/** Returns the columns of a file. `estado` is the state in the request. */
export const fileKeys = (operation: WireOperation, estado: string): AnswerKeys => {
  const names = FILE_COLUMNS[operation];
  const amounts = ['monto exento', 'monto neto', names.vat, 'monto total'];
  const events = eventColumns(operation, estado);
  return {
    rows: 'csv',
    required: ['nro', names.rut, 'folio', 'fecha docto', ...amounts],
    reported: ['razon social', 'fecha recepcion', names.kind, ...events, NOTE_MARK],
    // A line without `nro` continues the document of the previous line.
    nullable: ['nro', ...amounts, ...events, NOTE_MARK],
  };
};

/** Returns the keys of an answer. The argument is the answer's `request`, which `keptRequest` built. */
export const registerKeys = ({ method, operacion, estadoContab }: JsonObject): AnswerKeys | undefined => {
  if (method === 'getResumen') return SUMMARY_KEYS;
  if (method === 'getDetalleCompra' || method === 'getDetalleVenta') return DETAIL_KEYS;
  if (method !== 'obtenerArchivoBLOB') return undefined;
  return fileKeys(operacion === 'VENTA' ? 'VENTA' : 'COMPRA', String(estadoContab));
};
