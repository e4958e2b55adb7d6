/** Writes a spreadsheet as a stream of bytes while its rows arrive, so that memory does not grow with the rows. */
import { writeXlsxStream } from 'hucre/xlsx';

export type XlsxCell = string | number | Date | null;

export interface XlsxSheet {
  name: string;
  columns: readonly { header: string; numFmt: string; width: number }[];
}

export const streamXlsx = ({ name, columns }: XlsxSheet, rows: AsyncIterable<XlsxCell[]>): ReadableStream<Uint8Array> =>
  writeXlsxStream(rows, { name, columns: [...columns], freezePane: { rows: 1 } });
