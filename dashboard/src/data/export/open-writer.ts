import { exportColumns } from '../columns/build-columns.ts';
import type { ScopeList } from '../scope-list.ts';
import { apiColumns, wordColumns } from './csv-format.ts';
import type { ExportFormat } from './export-format.ts';
import { csvWriter, type RowWriter } from './row-writer.ts';
import type { Sink } from './sink.ts';

/** The code that writes spreadsheets is loaded when a person asks for one. */
export const openWriter = async (format: ExportFormat, { resource }: ScopeList, sink: Sink): Promise<RowWriter> => {
  if (format === 'xlsx') return (await import('./xlsx-writer.ts')).openXlsxWriter(resource, sink);
  const columns = format === 'excel' ? wordColumns(exportColumns(resource)) : apiColumns(resource.fields);
  return csvWriter(columns, format, sink);
};
