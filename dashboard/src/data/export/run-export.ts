/** Writes a list to a file, one page after another, so that no more than a page is in memory at a time. */
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
 * Goes on from `position`, so that one that failed on its way loses nothing: call it again. What was read is written
 * before anything else is asked for, which leaves no gap between position and file.
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
