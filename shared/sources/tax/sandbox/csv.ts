/**
 * The CSV of exports and files in its seven variants (tax.md §5). Purchases have 27 columns in REGISTRO, 24 in
 * NO_INCLUIR, 24 in RECLAMADO and 23 in PENDIENTE; sales have 43. If the request names one type, the column `Tipo Doc`
 * is absent: 26 columns in REGISTRO, 42 in sales.
 */
import type { WireOperation } from '../wire.ts';
import type { Doc, Estado, Tax } from './document.ts';

type Cell = (doc: Doc) => string | number;
type CsvColumn = readonly [string, Cell];

const blank: Cell = () => '';
const blanks = (names: string): CsvColumn[] => names.split(';').map((name) => [name, blank]);
/** Quotes a text only if it contains quotes or a separator, as some files do (tax.md §5). */
const quoted = (text: string): string => (/[";]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const or = (value: string | null, none: string) => value ?? none;

const PURCHASE: readonly CsvColumn[] = [
  ['Tipo Doc', ({ type }) => type],
  ['Tipo Compra', ({ kind }) => kind.text],
  ['RUT Proveedor', ({ rut }) => rut],
  ['Razon Social', ({ name }) => quoted(`${name} `)],
  ['Folio', ({ folio }) => folio],
  ['Fecha Docto', ({ issued }) => issued],
  ['Fecha Recepcion', ({ received }) => received],
  ['Fecha Acuse', ({ acknowledged }) => or(acknowledged, '')],
  ['Fecha Reclamo', ({ claimed }) => or(claimed, 'null')],
  ['Monto Exento', ({ exempt }) => exempt],
  ['Monto Neto', ({ net }) => net],
  ['Monto IVA Recuperable', ({ vat, vatNotRecoverable }) => (vatNotRecoverable > 0 ? '' : vat)],
  ['Monto Iva No Recuperable', ({ vatNotRecoverable }) => vatNotRecoverable || ''],
  ['Codigo IVA No Rec.', ({ vatNotRecoverable }) => (vatNotRecoverable > 0 ? 9 : '')],
  ['Monto Total', ({ total }) => total],
  ...blanks('Monto Neto Activo Fijo;IVA Activo Fijo;IVA uso Comun;Impto. Sin Derecho a Credito'),
  ['IVA No Retenido', () => 0],
  ...blanks('Tabacos Puros;Tabacos Cigarrillos;Tabacos Elaborados'),
  ['NCE o NDE sobre Fact. de Compra', ({ isOnPurchaseInvoice }) => (isOnPurchaseInvoice ? 1 : 0)],
];

const SALE: readonly CsvColumn[] = [
  ['Tipo Doc', ({ type }) => type],
  ['Tipo Venta', ({ kind }) => kind.text],
  ['Rut cliente', ({ rut }) => rut],
  ['Razon Social', ({ name }) => quoted(name)],
  ['Folio', ({ folio }) => folio],
  ['Fecha Docto', ({ issued }) => issued],
  ['Fecha Recepcion', ({ received }) => received],
  ['Fecha Acuse Recibo', ({ acknowledged }) => or(acknowledged, '')],
  ['Fecha Reclamo', ({ claimed }) => or(claimed, 'null')],
  ['Monto Exento', ({ exempt }) => exempt],
  ['Monto Neto', ({ net }) => net],
  ['Monto IVA', ({ vat }) => vat],
  ['Monto total', ({ total }) => total],
  ...['IVA Retenido Total', 'IVA Retenido Parcial', 'IVA no retenido', 'IVA propio', 'IVA Terceros'].map(
    (name): CsvColumn => [name, () => 0],
  ),
  ['RUT Emisor Liquid. Factura', () => '-'],
  ...blanks('Neto Comision Liquid. Factura;Exento Comision Liquid. Factura;IVA Comision Liquid. Factura'),
  ['IVA fuera de plazo', () => 0],
  ['Tipo Docto. Referencia', ({ reference }) => reference?.type ?? ''],
  ['Folio Docto. Referencia', ({ reference }) => reference?.folio ?? ''],
  ['Num. Ident. Receptor Extranjero', ({ foreign }) => or(foreign?.id ?? null, '')],
  ['Nacionalidad Receptor Extranjero', ({ foreign }) => or(foreign?.country ?? null, '')],
  ...blanks('Credito empresa constructora;Impto. Zona Franca (Ley 18211);Garantia Dep. Envases'),
  ['Indicador Venta sin Costo', () => 2],
  ['Indicador Servicio Periodico', () => 0],
  ...blanks('Monto No facturable;Total Monto Periodo;Venta Pasajes Transporte Nacional'),
  ...blanks('Venta Pasajes Transporte Internacional;Numero Interno;Codigo Sucursal'),
  ['NCE o NDE sobre Fact. de Compra', ({ isOnPurchaseInvoice }) => (isOnPurchaseInvoice ? 1 : 0)],
];

const TAX_COLUMNS = {
  COMPRA: ['Codigo Otro Impuesto', 'Valor Otro Impuesto', 'Tasa Otro Impuesto'],
  VENTA: ['Codigo Otro Imp.', 'Valor Otro Imp.', 'Tasa Otro Imp.'],
} as const;

const LEFT_OUT: Record<Estado, RegExp> = {
  REGISTRO: /^Fecha Reclamo$/,
  NO_INCLUIR: /^Fecha Reclamo$|^Tabacos/,
  RECLAMADO: /^Fecha Acuse$|^Tabacos/,
  PENDIENTE: /^Fecha (?:Acuse|Reclamo)$|^Tabacos/,
};

const columnsOf = (operation: WireOperation, estado: Estado, withType: boolean): CsvColumn[] => {
  const all = operation === 'VENTA' ? SALE : PURCHASE.filter(([name]) => !LEFT_OUT[estado].test(name));
  return all.filter(([name]) => withType || name !== 'Tipo Doc');
};

/** Columns that a document's further tax lines repeat; all other columns are empty on these lines. */
const REPEATED = /^(?:Tipo Doc|RUT Proveedor|Rut cliente|Razon Social|Folio|Fecha Docto)$/;

const taxCells = (tax: Tax | undefined) => (tax ? [tax.code, tax.value, tax.rate] : ['', '', '']);

/** Returns header and lines of a file. Each data line has one more `;` than the header. */
export const csvLines = (
  docs: readonly Doc[],
  operation: WireOperation,
  estado: Estado,
  withType: boolean,
): string[] => {
  const columns = columnsOf(operation, estado, withType);
  const lines = [['Nro', ...columns.map(([name]) => name), ...TAX_COLUMNS[operation]].join(';')];
  docs.forEach((doc, i) => {
    const [first, ...further] = doc.taxes;
    lines.push(`${[i + 1, ...columns.map(([, cell]) => cell(doc)), ...taxCells(first)].join(';')};`);
    for (const tax of further) {
      const cells = columns.map(([name, cell]) => (REPEATED.test(name) ? cell(doc) : ''));
      lines.push(`${['', ...cells, ...taxCells(tax)].join(';')};`);
    }
  });
  return lines;
};
