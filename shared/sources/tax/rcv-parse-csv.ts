/**
 * Parses all variants of the register's CSV by the names in the header (tax.md §5). The CSV contains neither the id of
 * a row nor the receiver's event, and purchases have no references.
 */

import type { RcvRow } from '#shared/scopes/tax-rcv.ts';
import { mustGet } from '#shared/values/must-get.ts';
import type { AnswerPlace } from '../parsing/values.ts';
import type { AnswerKeys, JsonObject, ParsedRow } from '../source.ts';
import { hasWidth, readCsv } from './csv-lines.ts';
import { FILE_COLUMNS, fileKeys, NOTE_MARK } from './rcv-keys.ts';
import { checkAsked, type RowTally } from './rcv-reading.ts';
import {
  assignParties,
  parseReference,
  parseReferencedFolio,
  type RegisterReading,
  readKind,
  toDirection,
} from './rcv-row.ts';
import { isBlank, readAmount, readFolio, readGivenDay, readInstant, readRut, readText, unreadable } from './values.ts';

/** Normalizes a column name: case, accents and spaces do not matter. */
const nameOf = (column: string): string =>
  column
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();

export function* parseFile(text: string, reading: RegisterReading, tally: RowTally): Generator<ParsedRow> {
  const { answerKey } = tally;
  const place: AnswerPlace = { answerKey, row: 0 };
  const { columns, lines, checkWidth } = readCsv(text, place);
  const index = new Map(columns.map((column, i) => [nameOf(column), i]));
  const keys = fileKeys(reading.operation, reading.estado.toUpperCase());
  tally.watch.columns(new Set(index.keys()), keys, answerKey);
  const isTold = keys.reported.filter((name) => index.has(name) && !keys.nullable.includes(name));
  const filled: AnswerKeys = { ...keys, required: [], reported: isTold };
  const file: CsvFile = { toRaw: rawMaker(columns), ...placesIn(index, reading), width: columns.length, place };
  let open: Open | undefined;
  for (const shown of lines) {
    if (isOfNoDocument(shown, file)) continue;
    tally.lines++;
    const cells = withWholeName(shown, file);
    const read = tally.odd.attempt(place.row, () => {
      checkWidth(cells);
      if (!isBlank(cells[file.nro])) {
        const row = toRow(cells, index, reading, place);
        checkAsked(row, reading, place);
        return { row };
      }
      // If a document is unreadable, its continuation lines are skipped.
      if (open !== 'odd') addTax(open, cells, file);
      return 'continuation';
    });
    if (read === 'continuation') continue;
    yield* documentOf(open);
    open = 'odd';
    if (read === undefined) continue;
    tally.watch.row((name) => cells[mustGet(index, name)], filled, answerKey, isBlank);
    const isCopy = !tally.take(read.row, place.row);
    open = { parsed: { row: read.row, raw: file.toRaw(cells), answerKey }, cells, isCopy };
  }
  yield* documentOf(open);
}

/** Document whose lines are being read; `odd` if the document is unreadable. */
type Open = { parsed: ParsedRow; cells: string[]; isCopy: boolean } | 'odd';

/**
 * Returns the document to show. A copy without continuation lines does not replace an earlier document that has
 * continuation lines.
 */
const documentOf = (open: Open | undefined): ParsedRow[] =>
  open === undefined || open === 'odd' || (open.isCopy && open.parsed.raw.otros_impuestos === undefined)
    ? []
    : [open.parsed];

/**
 * Returns a function that copies a blank row and fills in the copy. In V8 an object that grows key by key takes three
 * times the memory, and 100,000 rows are in memory at a time.
 */
const rawMaker = (columns: readonly string[]): ((cells: readonly string[]) => JsonObject) => {
  const blank = JSON.parse(JSON.stringify(Object.fromEntries(columns.map((column) => [column, ''])))) as JsonObject;
  return (cells) => {
    const raw = { ...blank };
    for (const [at, column] of columns.entries()) raw[column] = cells[at]!;
    return raw;
  };
};

/** Positions of the columns that tell how a line is meant. */
interface ColumnPlaces {
  nro: number;
  rut: number;
  folio: number;
  day: number;
  /** Undefined if the file lacks the column. */
  name: number | undefined;
}

interface CsvFile extends ColumnPlaces {
  toRaw(cells: readonly string[]): JsonObject;
  /** Number of columns of the header. */
  width: number;
  place: AnswerPlace;
}

const placesIn = (index: Map<string, number>, { operation }: RegisterReading): ColumnPlaces => ({
  nro: mustGet(index, 'nro'),
  rut: mustGet(index, FILE_COLUMNS[operation].rut),
  folio: mustGet(index, 'folio'),
  day: mustGet(index, 'fecha docto'),
  name: index.get('razon social'),
});

const NUMBER = /^\s*\d+\s*$/;

/**
 * True for a blank line, and for a line of totals: such a line has no number, no RUT and no folio. A continuation line
 * has the folio of its document.
 */
const isOfNoDocument = (cells: readonly string[], { nro, rut, folio }: CsvFile): boolean => {
  if (!isBlank(cells[folio]) || !isBlank(cells[rut]) || NUMBER.test(cells[nro] ?? '')) return false;
  // A line that ends before its folio is cut off.
  return cells.length > folio || cells.every(isBlank);
};

const DAY_SHAPE = /^\s*\d{1,2}\/\d{1,2}\/\d{4}\s*$/;

/**
 * Returns the cells with the name in one cell. Rows are not quoted, so a `;` in a name, the only free text before the
 * folio, makes more cells: the name ends where a folio and a date follow. A continuation line may lack the date.
 */
const withWholeName = (cells: string[], { nro, name, folio, day, width }: CsvFile): string[] => {
  const isKnownOrder = name !== undefined && folio === name + 1 && day === name + 2;
  const isNameEnd = (more: number): boolean =>
    NUMBER.test(cells[folio + more] ?? '') &&
    (DAY_SHAPE.test(cells[day + more] ?? '') || (isBlank(cells[nro]) && isBlank(cells[day + more])));
  if (!isKnownOrder || cells.length <= width || isNameEnd(0)) return cells;
  for (let more = 1; cells.length - more >= width; more++) {
    if (!isNameEnd(more)) continue;
    const joined = cells.toSpliced(name, more + 1, cells.slice(name, folio + more).join(';'));
    return hasWidth(joined, width) ? joined : cells;
  }
  return cells;
};

/**
 * Adds a tax to the document. A document with several other taxes continues on lines without `Nro`, which repeat its
 * folio (§5).
 */
const addTax = (open: Exclude<Open, 'odd'> | undefined, cells: string[], { toRaw, folio, place }: CsvFile): void => {
  if (!open) throw unreadable(place, 'Nro', 'is missing');
  if (!isBlank(cells[folio]) && cells[folio]?.trim() !== open.cells[folio]?.trim())
    throw unreadable(place, 'Folio', 'of a continuation line is not that of the line before');
  const { raw } = open.parsed;
  raw.otros_impuestos = [...((raw.otros_impuestos as JsonObject[] | undefined) ?? []), toRaw(cells)];
};

const toRow = (cells: string[], index: Map<string, number>, reading: RegisterReading, place: AnswerPlace): RcvRow => {
  const isSale = reading.operation === 'VENTA';
  const names = FILE_COLUMNS[reading.operation];
  const cell = (name: string): string | undefined => {
    const at = index.get(name);
    return at === undefined ? undefined : cells[at];
  };
  const text = (name: string) => readText(cell(name), name, place);
  const amount = (name: string) => readAmount(cell(name), name, place);
  const instant = (name: string) => readInstant(cell(name), name, place);
  // Reads a cell. The stored value stays if this variant of the file lacks the column, or if a cell that is never empty
  // is empty.
  const carried = <Value>(name: string, read: (name: string) => Value): Value | undefined =>
    index.has(name) ? read(name) : undefined;
  const given = <Value>(name: string, read: (name: string) => Value): Value | undefined =>
    isBlank(cell(name)) ? undefined : read(name);
  const referencedType = isSale ? carried('tipo docto. referencia', (name) => parseReference(text(name))) : undefined;
  const kind = readKind(readType(text('tipo doc') ?? reading.askedType, place), cell(NOTE_MARK));
  return {
    period: reading.period,
    direction: toDirection(reading.operation),
    ...kind,
    folio: readFolio(cell('folio'), 'folio', place),
    ...assignParties(reading, kind, readRut(cell(names.rut), names.rut, place), given('razon social', text)),
    issued_at: readGivenDay(cell('fecha docto'), 'fecha docto', place),
    received_at: given('fecha recepcion', instant),
    net_amount: amount('monto neto'),
    exempt_amount: amount('monto exento'),
    vat_amount: amount(names.vat),
    total_amount: amount('monto total'),
    currency: 'CLP',
    status: undefined,
    estado: reading.estado,
    referenced_document_type: referencedType,
    referenced_folio: isSale
      ? carried('folio docto. referencia', (name) => parseReferencedFolio(text(name), referencedType))
      : undefined,
    acknowledged_at: carried(names.acknowledged, instant),
    claimed_at: carried('fecha reclamo', instant),
    transaction_type: given(names.kind, text),
    source_document_id: undefined,
  };
};

const readType = (type: string | null, place: AnswerPlace): string => {
  if (type === null) throw unreadable(place, 'tipo doc', 'is missing');
  if (!/^\d{1,4}$/.test(type)) throw unreadable(place, 'tipo doc', 'is not a document type');
  return type;
};
