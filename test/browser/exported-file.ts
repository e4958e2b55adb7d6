/** Exports as a person does, and reads the file. */
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import type { Row } from '#test/helpers/e2e-integrator.ts';

/** In headless Chromium nobody can choose a file: without the picker the page starts a download. */
export const withoutPicker = (page: Page): Promise<unknown> =>
  page.evaluate('delete Window.prototype.showSaveFilePicker; delete window.showSaveFilePicker;');

/** Opens the dialog and chooses the format for programs. */
export const openExport = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Exportar CSV' }).click();
  await page.getByRole('radio', { name: /CSV estándar/ }).check();
};

/** Empty cells become null, as in the API. */
export const rowsOf = (text: string): Row[] =>
  (parse(text, { columns: true, bom: true }) as Record<string, string>[]).map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === '' ? null : value])),
  );

/** Begins the export, runs `meanwhile`, and reads the downloaded file. */
export const exported = async (page: Page, meanwhile: () => Promise<unknown> = async () => {}): Promise<string> => {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Exportar', exact: true }).click();
  await meanwhile();
  return readFile(await (await download).path(), 'utf8');
};
