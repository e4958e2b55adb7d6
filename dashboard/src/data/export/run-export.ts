/** Writes a list to a file, page by page, so that only one page is in memory at a time. */
import { type Position, type ReadPage, readNext } from '../read-rows.ts';
import type { RowWriter } from './row-writer.ts';

export interface ExportPlan {
  readPage: ReadPage;
  writer: Pick<RowWriter, 'write' | 'close'>;
}

/**
 * Writes the rows from `position` on. Each page is written before the next page is requested, so `position` always
 * matches the file, and a failed export can be continued with another call.
 */
export const runExport = async (
  { readPage, writer }: ExportPlan,
  position: Position,
  onProgress: (position: Readonly<Position>) => void,
): Promise<void> => {
  while (!position.isOver) {
    await writer.write(await readNext(readPage, position));
    onProgress({ ...position });
  }
  await writer.close();
};
