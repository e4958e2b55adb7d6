/**
 * Reads the lines of the portal's CSV, each as cells in the order of the header (tax.md §5). Lines are read one by one
 * when needed, because a month may have 100,000 lines.
 */
import { CsvError, parse } from 'csv-parse/sync';
import type { AnswerPlace } from '../parsing/values.ts';
import { unreadable } from './values.ts';

export interface CsvTable {
  /** Header names, unchanged. */
  columns: string[];
  lines: Iterable<string[]>;
  /** Throws when a line does not have the header's number of cells. */
  checkWidth(cells: readonly string[]): void;
}

const SHARED_CELLS_MAX = 20_000;

const splitLine = (line: string): string[] => line.split(';');

/** Returns the cells of a line with quotes; undefined if a quote is never closed. */
const readQuoted = (line: string): string[] | undefined => {
  try {
    const [cells = []] = parse(line, { delimiter: ';', relax_column_count: true, relax_quotes: true }) as string[][];
    return cells;
  } catch (error) {
    if (error instanceof CsvError) return undefined;
    throw error;
  }
};

/**
 * True if the line has the header's number of cells. Every data line has one more `;` than the header (§5), so blank
 * cells may follow.
 */
export const hasWidth = (cells: readonly string[], width: number): boolean =>
  cells.length >= width && cells.slice(width).every((cell) => cell.trim() === '');

/**
 * Returns the cells of a line. Real rows are not quoted, and a name may contain quotes: quotes around a cell count only
 * if the line has the header's number of cells with them.
 */
const readCells = (line: string, width: number): string[] => {
  const plain = splitLine(line);
  const quoted = line.includes('"') ? readQuoted(line) : undefined;
  return quoted && (hasWidth(quoted, width) || !hasWidth(plain, width)) ? quoted : plain;
};

/** The byte order mark: one character, or three when the file was decoded as ISO-8859-1. */
const BYTE_ORDER_MARK = /^(?:\uFEFF|\u00EF\u00BB\u00BF)/;

export const readCsv = (source: string, place: AnswerPlace): CsvTable => {
  const text = source.replace(BYTE_ORDER_MARK, '');
  const lines = filledLines(text);
  const header = lines.next().value ?? '';
  const columns = (readQuoted(header) ?? splitLine(header)).map((name) => name.trim());
  while (columns.at(-1) === '') columns.pop();
  if (columns.length < 2) throw unreadable(place, 'header', 'is missing');
  const width = columns.length;
  return { columns, lines: dataLines(lines, width, place), checkWidth: (cells) => checkWidth(cells, width, place) };
};

const checkWidth = (cells: readonly string[], width: number, place: AnswerPlace): void => {
  if (cells.length < width) throw unreadable(place, 'line', 'has fewer cells than the header');
  // If a cell beyond the header is filled, the columns have shifted.
  if (!hasWidth(cells, width)) throw unreadable(place, 'line', 'has more cells than the header');
};

/** Yields the lines that are not empty. Every line break ends a line. */
function* filledLines(text: string): Generator<string, undefined> {
  let from = 0;
  for (const { index, 0: lineBreak } of text.matchAll(/\r\n?|\n/g)) {
    if (index > from) yield text.slice(from, index);
    from = index + lineBreak.length;
  }
  if (from < text.length) yield text.slice(from);
}

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

function* dataLines(lines: Iterable<string>, width: number, place: AnswerPlace): Generator<string[]> {
  const shared = createSharing();
  for (const line of lines) {
    place.row++;
    yield readCells(line, width).map(shared);
  }
}
