/**
 * Parses all variants of the register's CSV by the names in the header (tax.md §5). The CSV contains neither the id of
 * a row nor the receiver's event, and purchases have no references.
 */

import type { RcvRow } from '#shared/scopes/tax-rcv.ts';
import { mustGet } from '#shared/values/must-get.ts';
import type { AnswerPlace } from '../parsing/values.ts';
import type { AnswerKeys, JsonObject, ParsedRow } from '../source.ts';
import { readCsv } from './csv-lines.ts';
import { FILE_COLUMNS, fileKeys } from './rcv-keys.ts';
import { checkAsked, type RowTally } from './rcv-reading.ts';
import { assignParties, firstFolio, kindOf, parseReference, type RegisterReading, toDirection } from './rcv-row.ts';
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
  const nro = mustGet(index, 'nro');
  const toRaw = rawMaker(columns);
  const file: CsvFile = { toRaw, index, place };
  let open: Open | undefined;
  for (const cells of lines) {
    tally.lines++;
    const read = tally.odd.attempt(place.row, () => {
      checkWidth(cells);
      if (!isBlank(cells[nro])) {
        const row = toRow(cells, index, reading, place);
        checkAsked(row, reading, place);
        return { row };
      }
      // If a document is unreadable, its continuation lines are skipped.
      if (open !== 'odd') addTax(open, cells, file);
      return 'continuation';
    });
    if (read === 'continuation') continue;
    yield* shown(open);
    open = 'odd';
    if (read === undefined) continue;
    tally.watch.row((name) => cells[mustGet(index, name)], filled, answerKey, isBlank);
    const isCopy = !tally.take(read.row, place.row);
    open = { parsed: { row: read.row, raw: toRaw(cells), answerKey }, cells, isCopy };
  }
  yield* shown(open);
}

/** Document whose lines are being read; `odd` if the document is unreadable. */
type Open = { parsed: ParsedRow; cells: string[]; isCopy: boolean } | 'odd';

/**
 * Returns the document to show. A copy without continuation lines does not replace an earlier document that has
 * continuation lines.
 */
const shown = (open: Open | undefined): ParsedRow[] =>
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

interface CsvFile {
  toRaw(cells: readonly string[]): JsonObject;
  /** Position of each column, by column name. */
  index: Map<string, number>;
  place: AnswerPlace;
}

/**
 * Adds a tax to the document. A document with several other taxes continues on lines without `Nro`, which repeat its
 * folio (§5).
 */
const addTax = (open: Exclude<Open, 'odd'> | undefined, cells: string[], { toRaw, index, place }: CsvFile): void => {
  const folio = mustGet(index, 'folio');
  if (!open) throw unreadable(place, 'Nro', 'is missing');
  if (!isBlank(cells[folio]) && cells[folio]?.trim() !== open.cells[folio]?.trim())
    throw unreadable(place, 'Folio', 'of a continuation line is not that of the line before');
  const { raw } = open.parsed;
  raw.otros_impuestos = [...((raw.otros_impuestos as JsonObject[] | undefined) ?? []), toRaw(cells)];
};

/** Column of the mark on notes on purchase invoices (§8.1). */
const NOTE_MARK = 'nce o nde sobre fact. de compra';

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
  const kind = kindOf(readType(text('tipo doc') ?? reading.askedType, place), cell(NOTE_MARK));
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
    referenced_document_type: isSale
      ? carried('tipo docto. referencia', (name) => parseReference(text(name)))
      : undefined,
    referenced_folio: isSale ? carried('folio docto. referencia', (name) => firstFolio(text(name))) : undefined,
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
