/**
 * Reads the lines of the portal's CSV, each as cells in the order of the header (tax.md §5). Lines are read one by one
 * when needed, because a month may have 100,000 lines.
 */
import { parse } from 'csv-parse/sync';
import type { AnswerPlace } from '../parsing/values.ts';
import { unreadable } from './values.ts';

export interface CsvTable {
  /** Header names, unchanged. */
  columns: string[];
  lines: Iterable<string[]>;
  /** Throws when a line does not have the header's number of cells. */
  checkWidth(cells: readonly string[]): void;
}

/** Text of about 500 lines, which take a few milliseconds to parse. */
const SLICE_CHARS = 64 * 1024;
const SHARED_CELLS_MAX = 20_000;

/** The `quote` option of csv-parse. */
type Quote = '"' | false;

/** Parses quotes only if the header is quoted: real rows are not quoted, and a name may contain a quote character. */
const readCells = (text: string, quote: Quote): string[][] =>
  parse(text, {
    delimiter: ';',
    quote,
    relax_column_count: true,
    record_delimiter: '\n',
    skip_empty_lines: true,
  }) as string[][];

/**
 * Splits the text into pieces of whole lines, so that reading a large file never blocks for long. In a file without
 * quoting every line break ends a row.
 */
function* slices(text: string): Generator<string> {
  let from = 0;
  while (from < text.length) {
    const lineEnd = from + SLICE_CHARS >= text.length ? -1 : text.indexOf('\n', from + SLICE_CHARS);
    const to = lineEnd < 0 ? text.length : lineEnd + 1;
    yield text.slice(from, to);
    from = to;
  }
}

/** The byte order mark: one character, or three when the file was decoded as ISO-8859-1. */
const BYTE_ORDER_MARK = /^(?:\uFEFF|\u00EF\u00BB\u00BF)/;

export const readCsv = (source: string, place: AnswerPlace): CsvTable => {
  // If all line ends are normalized first, csv-parse needs half the time.
  const text = source.replace(BYTE_ORDER_MARK, '').replaceAll(/\r\n?/g, '\n');
  const headerEnd = text.indexOf('\n');
  const headerLine = headerEnd < 0 ? text : text.slice(0, headerEnd);
  const quote: Quote = headerLine.startsWith('"') ? '"' : false;
  const columns = (safeCells(headerLine, quote, place)[0] ?? []).map((name) => name.trim());
  while (columns.at(-1) === '') columns.pop();
  if (columns.length < 2) throw unreadable(place, 'header', 'is missing');
  const rest = headerEnd < 0 ? '' : text.slice(headerEnd);
  const width = columns.length;
  return { columns, lines: dataLines(rest, quote, place), checkWidth: (cells) => checkWidth(cells, width, place) };
};

const checkWidth = (cells: readonly string[], width: number, place: AnswerPlace): void => {
  if (cells.length < width) throw unreadable(place, 'line', 'has fewer cells than the header');
  // Every data line has one more `;` than the header (§5). If the extra cell is not empty, the columns have shifted.
  for (let i = width; i < cells.length; i++)
    if (cells[i]?.trim() !== '') throw unreadable(place, 'line', 'has more cells than the header');
};

const safeCells = (text: string, quote: Quote, place: AnswerPlace): string[][] => {
  try {
    return readCells(text, quote);
  } catch {
    throw unreadable(place, 'line', 'is not CSV');
  }
};

/**
 * Returns a function that uses one string for all equal cells: most of a month's 3 million cells repeat, and rows stay
 * in memory until all are written.
 */
const createSharing = (): ((cell: string) => string) => {
  const known = new Map<string, string>();
  return (cell) => {
    const same = known.get(cell);
    if (same !== undefined) return same;
    // Folios and times never repeat and would fill the map, so the map is cleared when it is full.
    if (known.size >= SHARED_CELLS_MAX) known.clear();
    known.set(cell, cell);
    return cell;
  };
};

function* dataLines(text: string, quote: Quote, place: AnswerPlace): Generator<string[]> {
  const shared = createSharing();
  for (const slice of quote ? [text] : slices(text)) {
    for (const cells of safeCells(slice, quote, place)) {
      place.row++;
      yield cells.map(shared);
    }
  }
}
