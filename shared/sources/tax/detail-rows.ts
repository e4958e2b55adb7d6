/** Rows of a detail that comes as a list of objects: guides, and documents of the register (tax.md §4.3, §7.3). */
import type { AnswerKeys, Json, JsonObject, ParsedRow } from '../source.ts';
import type { OddLines } from '../truth/odd-lines.ts';
import type { KeyWatch } from '../truth/watch-keys.ts';
import { isObject } from './envelope.ts';
import { isBlank, type Place, unreadable } from './values.ts';

interface Tally<Row> {
  odd: OddLines;
  watch: KeyWatch;
  lines: number;
  take(row: Row, line: number): boolean;
}

/** `toRow` reads one object; what cannot be read is told by its line, and a copy gives no row. */
export function* readDetailRows<Row extends ParsedRow['row']>(
  rows: readonly Json[],
  answerKey: string,
  keys: AnswerKeys,
  tally: Tally<Row>,
  toRow: (raw: JsonObject, place: Place) => Row,
): Generator<ParsedRow> {
  const place: Place = { answerKey, row: 0 };
  let raw: JsonObject = {};
  // Made once and not for each row: an answer may have a hundred thousand.
  const read = (key: string) => raw[key];
  const readRow = () => toRow(raw, place);
  for (const shown of rows) {
    place.row++;
    tally.lines++;
    if (!isObject(shown)) {
      tally.odd.add(place.row, unreadable(place, 'row', 'is not an object'));
      continue;
    }
    raw = shown;
    tally.watch.row(read, keys, `${answerKey}, row ${place.row}`, isBlank);
    const row = tally.odd.attempt(place.row, readRow);
    if (row !== undefined && tally.take(row, place.row)) yield { row, raw, answerKey };
  }
}
