/** The formats of an exported file. */
import type { CsvFormat } from './csv-format.ts';

export type ExportFormat = 'xlsx' | CsvFormat;
const EXPORT_FORMATS: readonly ExportFormat[] = ['xlsx', 'excel', 'standard'];

/** A sheet of Excel has 1,048,576 rows; those beyond are for the head and the sums. */
export const SHEET_ROWS_MAX = 1_000_000;

/** Returns the formats that can hold so many rows, the best one first. */
export const listFormats = (rows: number): readonly ExportFormat[] =>
  rows > SHEET_ROWS_MAX ? EXPORT_FORMATS.filter((format) => format !== 'xlsx') : EXPORT_FORMATS;

const MEDIA_TYPES = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv',
} as const;

export const fileType = (format: ExportFormat): { extension: string; mediaType: string } => {
  const extension = format === 'xlsx' ? 'xlsx' : 'csv';
  return { extension, mediaType: MEDIA_TYPES[extension] };
};
