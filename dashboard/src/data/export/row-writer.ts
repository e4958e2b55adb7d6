/** Writes pages of rows to a file in one of the formats. */
import type { Row } from '../resource.ts';
import { type CsvColumn, type CsvFormat, csvHead, csvRows } from './csv-format.ts';
import type { Sink } from './sink.ts';

export interface RowWriter {
  write(rows: readonly Row[]): Promise<void>;
  /** Completes the file after its last page. */
  close(): Promise<void>;
  /** Stops the writing and removes the file. */
  abort(): Promise<void>;
}

export const csvWriter = (columns: readonly CsvColumn[], format: CsvFormat, sink: Sink): RowWriter => {
  let isFirst = true;
  return {
    async write(rows) {
      await sink.write((isFirst ? csvHead(columns, format) : '') + csvRows(columns, format, rows));
      isFirst = false;
    },
    close: () => sink.close(),
    abort: () => sink.abort(),
  };
};
