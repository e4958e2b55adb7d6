/** Keys that the register's answers contain (tax.md §4.2, §4.3, §5; decisions.md §5 "Completeness"). */
import type { AnswerKeys, JsonObject } from '../source.ts';
import type { WireOperation } from './wire.ts';

export const SUMMARY_KEYS: AnswerKeys = {
  rows: ['data'],
  required: [
    ...['rsmnTipoDocInteger', 'rsmnTotDoc', 'rsmnMntNeto', 'rsmnMntIVA', 'rsmnMntTotal'],
    ...['dcvTipoIngresoDoc', 'rsmnLink'],
  ],
  told: ['rsmnMntExe'],
  nullable: [],
};

/** These amounts may be empty, for example in credit notes; empty means zero (§9). */
const DETAIL_AMOUNTS = ['detMntExe', 'detMntNeto', 'detMntIVA', 'detMntTotal'];

export const DETAIL_KEYS: AnswerKeys = {
  rows: ['data'],
  required: ['detRutDoc', 'detDvDoc', 'detNroDoc', 'detFchDoc', ...DETAIL_AMOUNTS],
  told: [
    ...['detTipoDoc', 'detRznSoc', 'detFecRecepcion', 'detFecAcuse', 'detFecReclamado'],
    ...['detTipoDocRef', 'detFolioDocRef', 'detTipoTransaccion', 'descTipoTransaccion'],
    ...['detEventoReceptor', 'detEventoReceptorLeyenda', 'detAnulado', 'detCodigo', 'dhdrCodigo'],
  ],
  nullable: [
    ...DETAIL_AMOUNTS,
    ...['detTipoDoc', 'detFecAcuse', 'detFecReclamado', 'detTipoDocRef', 'detFolioDocRef', 'detTipoTransaccion'],
    ...['detEventoReceptor', 'detEventoReceptorLeyenda', 'detAnulado'],
  ],
};

/** Column names, normalized by `nameOf` of `rcv-parse-csv.ts`. The spelling differs by side. */
export const FILE_COLUMNS = {
  COMPRA: { rut: 'rut proveedor', vat: 'monto iva recuperable', kind: 'tipo compra', acknowledged: 'fecha acuse' },
  VENTA: { rut: 'rut cliente', vat: 'monto iva', kind: 'tipo venta', acknowledged: 'fecha acuse recibo' },
} as const satisfies Record<WireOperation, Record<string, string>>;

const REFERENCES = ['tipo docto. referencia', 'folio docto. referencia'];

/** Columns that depend on the state (§5): a pending purchase is neither acknowledged nor claimed. */
const eventColumns = (operation: WireOperation, estado: string): string[] => {
  if (operation === 'VENTA') return [FILE_COLUMNS.VENTA.acknowledged, 'fecha reclamo', ...REFERENCES];
  if (estado === 'PENDIENTE') return [];
  return [estado === 'RECLAMADO' ? 'fecha reclamo' : FILE_COLUMNS.COMPRA.acknowledged];
};

/** `estado` is the state in the request. */
export const fileKeys = (operation: WireOperation, estado: string): AnswerKeys => {
  const names = FILE_COLUMNS[operation];
  const amounts = ['monto exento', 'monto neto', names.vat, 'monto total'];
  const events = eventColumns(operation, estado);
  return {
    rows: 'csv',
    required: ['nro', names.rut, 'folio', 'fecha docto', ...amounts],
    told: ['razon social', 'fecha recepcion', names.kind, ...events],
    // A line without `nro` continues the previous document.
    nullable: ['nro', ...amounts, ...events],
  };
};

/** `request` as built by `keptRequest`. */
export const registerKeys = ({ method, operacion, estadoContab }: JsonObject): AnswerKeys | undefined => {
  if (method === 'getResumen') return SUMMARY_KEYS;
  if (method === 'getDetalleCompra' || method === 'getDetalleVenta') return DETAIL_KEYS;
  if (method !== 'obtenerArchivoBLOB') return undefined;
  return fileKeys(operacion === 'VENTA' ? 'VENTA' : 'COMPRA', String(estadoContab));
};
