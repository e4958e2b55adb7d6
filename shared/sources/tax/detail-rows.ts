/** Reads the rows of a detail that is a list of objects: guides, and documents of the register (tax.md §4.3, §7.3). */
import type { Sum } from '#shared/values/decimal-sum.ts';
import { isObject } from '../parsing/bodies.ts';
import type { AnswerPlace } from '../parsing/values.ts';
import type { AnswerKeys, Json, JsonObject, ParsedRow } from '../source.ts';
import type { DistinctRows } from '../truth/distinct-keys.ts';
import type { OddLines } from '../truth/odd-lines.ts';
import type { KeyWatch } from '../truth/watch-keys.ts';
import type { SummaryFigure } from './rcv-summary.ts';
import { isBlank, unreadable } from './values.ts';

/** Counts and sums of the rows of one answer that have been read so far. */
export interface DetailTally<Row> {
  readonly answerKey: string;
  /** Guides or documents, without copies. */
  readonly distinct: DistinctRows;
  readonly sums: Readonly<Record<SummaryFigure, Sum>>;
  readonly odd: OddLines;
  readonly watch: KeyWatch;
  /** Number of lines read so far. */
  lines: number;
  /**
   * Records a row. Returns false for a copy of an earlier row. Throws when one guide or document has two different
   * contents.
   */
  take(row: Row, line: number): boolean;
}

/** Returns the number of guides or documents in an answer. An unreadable line counts as one guide or document. */
export const countIn = ({ distinct, odd }: Pick<DetailTally<never>, 'distinct' | 'odd'>): number =>
  distinct.size + odd.count;

type DetailAmounts = {
  [Amount in 'net_amount' | 'vat_amount' | 'exempt_amount' | 'total_amount']?: string | null | undefined;
};

export const addAmounts = (sums: Readonly<Record<SummaryFigure, Sum>>, row: DetailAmounts): void => {
  sums.net.add(row.net_amount ?? '0');
  sums.VAT.add(row.vat_amount ?? '0');
  sums.exempt.add(row.exempt_amount ?? '0');
  sums.total.add(row.total_amount ?? '0');
};

/**
 * Yields the rows of an answer. `toRow` reads one object. Unreadable objects are reported by line number, and a copy
 * yields no row.
 */
export function* readDetailRows<Row extends ParsedRow['row']>(
  rows: readonly Json[],
  keys: AnswerKeys,
  tally: Pick<DetailTally<Row>, 'answerKey' | 'odd' | 'watch' | 'lines' | 'take'>,
  toRow: (raw: JsonObject, place: AnswerPlace) => Row,
): Generator<ParsedRow> {
  const { answerKey } = tally;
  const place: AnswerPlace = { answerKey, row: 0 };
  let raw: JsonObject = {};
  // These two functions are created once and not for each row, because an answer may have 100,000 rows.
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
