/** The formats of an exported file. */
import { exportColumns } from '../columns/build-columns.ts';
import type { ScopeList } from '../scope-list.ts';
import { apiColumns, type CsvFormat, wordColumns } from './csv-format.ts';
import { csvWriter, type RowWriter } from './row-writer.ts';
import type { Sink } from './sink.ts';

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

/** The code that writes spreadsheets is loaded when a person asks for one. */
export const openWriter = async (format: ExportFormat, { resource }: ScopeList, sink: Sink): Promise<RowWriter> => {
  if (format === 'xlsx') return (await import('./xlsx-writer.ts')).openXlsxWriter(resource, sink);
  const columns = format === 'excel' ? wordColumns(exportColumns(resource)) : apiColumns(resource.fields);
  return csvWriter(columns, format, sink);
};
