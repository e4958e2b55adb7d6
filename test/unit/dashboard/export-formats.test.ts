/** A file that Excel cannot open whole is not offered. */
import { expect, it } from 'vitest';
import { listFormats, SHEET_ROWS_MAX } from '../../../dashboard/src/data/export/export-format.ts';

/** Rows of a sheet, by Microsoft's page "Excel specifications and limits". */
const EXCEL_ROWS = 1_048_576;

it('offers a spreadsheet up to the rows that a sheet can hold, and CSV beyond', () => {
  expect(listFormats(SHEET_ROWS_MAX)[0]).toBe('xlsx');
  expect(listFormats(SHEET_ROWS_MAX + 1)).toEqual(['excel', 'standard']);
  // The head, an empty row, and a sum for every group.
  expect(EXCEL_ROWS - SHEET_ROWS_MAX).toBeGreaterThan(10_000);
});
