/**
 * The register's CSV in all its variants, by header name (tax.md §5). It carries neither the row's id nor the
 * receiver's event, and on purchases no references.
 */
import type { RcvRow } from '#shared/scopes/tax-rcv.ts';
import type { JsonObject, ParsedRow } from '../source.ts';
import { readCsv } from './csv-lines.ts';
import { FILE_COLUMNS, fileKeys } from './rcv-keys.ts';
import { directionOf, firstFolio, partiesOf, type Reading, referenceOf } from './rcv-row.ts';
import {
  isBlank,
  type Place,
  readAmount,
  readDay,
  readInstant,
  readKey,
  readRut,
  readText,
  unreadable,
} from './values.ts';

/** Case, accents and spaces of a header are no part of its name. */
const nameOf = (column: string): string =>
  column
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();

export function* parseFile(text: string, reading: Reading, answerKey: string): Generator<ParsedRow> {
  const place: Place = { answerKey, row: 0 };
  const { columns, lines } = readCsv(text, place);
  const index = new Map(columns.map((column, i) => [nameOf(column), i]));
  for (const name of fileKeys(reading.operation, reading.estado.toUpperCase()).required) {
    if (!index.has(name)) throw unreadable(place, `column "${name}"`, 'is missing');
  }
  const nro = index.get('nro')!;
  const toRaw = rawMaker(columns);
  let open: { parsed: ParsedRow; cells: string[] } | undefined;
  for (const cells of lines) {
    if (isBlank(cells[nro])) {
      addTax(open, cells, toRaw, index, place);
      continue;
    }
    if (open) yield open.parsed;
    const raw = toRaw(cells);
    open = { parsed: { row: toRow(cells, index, reading, place), raw, answerKey }, cells };
  }
  if (open) yield open.parsed;
}

/**
 * An object that grows key by key costs the engine of the language three times the memory of one that is copied whole,
 * and 100,000 of them are held at a time: copy a blank row, then fill it in.
 */
const rawMaker = (columns: readonly string[]): ((cells: readonly string[]) => JsonObject) => {
  const blank = JSON.parse(JSON.stringify(Object.fromEntries(columns.map((column) => [column, ''])))) as JsonObject;
  return (cells) => {
    const raw = { ...blank };
    for (const [at, column] of columns.entries()) raw[column] = cells[at]!;
    return raw;
  };
};

/** A document with several other taxes goes on in lines without `Nro` that repeat its folio (§5). */
const addTax = (
  open: { parsed: ParsedRow; cells: string[] } | undefined,
  cells: string[],
  toRaw: (cells: readonly string[]) => JsonObject,
  index: Map<string, number>,
  place: Place,
): void => {
  const folio = index.get('folio')!;
  if (!open) throw unreadable(place, 'Nro', 'is missing');
  if (!isBlank(cells[folio]) && cells[folio]?.trim() !== open.cells[folio]?.trim()) {
    throw unreadable(place, 'Folio', 'of a continuation line is not that of the line before');
  }
  const { raw } = open.parsed;
  raw.otros_impuestos = [...((raw.otros_impuestos as JsonObject[] | undefined) ?? []), toRaw(cells)];
};

const toRow = (cells: string[], index: Map<string, number>, reading: Reading, place: Place): RcvRow => {
  const isSale = reading.operation === 'VENTA';
  const names = FILE_COLUMNS[reading.operation];
  const cell = (name: string): string | undefined => {
    const at = index.get(name);
    return at === undefined ? undefined : cells[at];
  };
  const text = (name: string) => readText(cell(name), name, place);
  const amount = (name: string) => readAmount(cell(name), name, place);
  const instant = (name: string) => readInstant(cell(name), name, place);
  // A column that this variant of the file does not have keeps what is stored.
  const carried = (name: string) => (index.has(name) ? instant(name) : undefined);
  const documentType = readType(text('tipo doc') ?? reading.askedType, place);
  return {
    period: reading.period,
    direction: directionOf(reading.operation),
    document_type: documentType,
    folio: readKey(cell('folio'), 'folio', place),
    ...partiesOf(reading, documentType, readRut(cell(names.rut), names.rut, place), text('razon social')),
    issued_at: readDay(cell('fecha docto'), 'fecha docto', place),
    received_at: instant('fecha recepcion'),
    net_amount: amount('monto neto'),
    exempt_amount: amount('monto exento'),
    vat_amount: amount(names.vat),
    total_amount: amount('monto total'),
    currency: 'CLP',
    status: undefined,
    estado: reading.estado,
    referenced_document_type: isSale ? referenceOf(text('tipo docto. referencia')) : undefined,
    referenced_folio: isSale ? firstFolio(text('folio docto. referencia')) : undefined,
    acknowledged_at: carried(names.acknowledged),
    claimed_at: carried('fecha reclamo'),
    transaction_type: text(names.kind),
    source_document_id: undefined,
  };
};

const readType = (type: string | null, place: Place): string => {
  if (type === null) throw unreadable(place, 'tipo doc', 'is missing');
  if (!/^\d{1,4}$/.test(type)) throw unreadable(place, 'tipo doc', 'is not a document type');
  return type;
};

/** Documents of a file: a document may take several lines, so by distinct `Nro` (§5). */
export const countDocuments = (text: string, answerKey: string): number => {
  const place: Place = { answerKey, row: 0 };
  const { columns, lines } = readCsv(text, place);
  const nro = columns.findIndex((column) => nameOf(column) === 'nro');
  if (nro < 0) throw unreadable(place, 'column "nro"', 'is missing');
  const numbers = new Set<string>();
  for (const cells of lines) if (!isBlank(cells[nro])) numbers.add(cells[nro]!.trim());
  return numbers.size;
};
