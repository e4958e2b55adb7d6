/** Writes a list to a file, page by page, so that only one page is in memory at a time. */
import { type Position, type ReadPage, readNext } from '../read-rows.ts';
import type { Field } from '../resource.ts';
import { type CsvFormat, csvHead, csvRows } from './csv-format.ts';

export interface ExportPlan {
  fields: readonly Field[];
  format: CsvFormat;
  label: (name: string) => string;
  readPage: ReadPage;
  sink: { write(text: string): Promise<void>; close(): Promise<void> };
}

/**
 * Writes the rows from `position` on. Each page is written before the next page is requested, so `position` always
 * matches the file, and a failed export can be continued with another call.
 */
export const runExport = async (
  { fields, format, label, readPage, sink }: ExportPlan,
  position: Position,
  onProgress: (position: Readonly<Position>) => void,
): Promise<void> => {
  while (!position.isOver) {
    const isFirst = position.total === null;
    const rows = await readNext(readPage, position);
    await sink.write((isFirst ? csvHead(fields, format, label) : '') + csvRows(fields, format, rows));
    onProgress({ ...position });
  }
  await sink.close();
};
