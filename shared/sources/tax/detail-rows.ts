/** Rows of a detail that comes as a list of objects: guides, and documents of the register (tax.md §4.3, §7.3). */
import type { AnswerKeys, Json, JsonObject, ParsedRow } from '../source.ts';
import type { OddLines } from '../truth/odd-lines.ts';
import type { KeyWatch } from '../truth/watch-keys.ts';
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
  for (const raw of rows) {
    place.row++;
    tally.lines++;
    const object = tally.odd.attempt(place.row, () => objectIn(raw, place));
    if (object === undefined) continue;
    tally.watch.row((key) => object[key], keys, `${answerKey}, row ${place.row}`, isBlank);
    const row = tally.odd.attempt(place.row, () => toRow(object, place));
    if (row !== undefined && tally.take(row, place.row)) yield { row, raw: object, answerKey };
  }
}

const objectIn = (raw: Json, place: Place): JsonObject => {
  if (typeof raw === 'object' && raw !== null && !Array.isArray(raw)) return raw;
  throw unreadable(place, 'row', 'is not an object');
};
