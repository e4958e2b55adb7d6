/** Exports as a person does, and reads the file. */
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import type { Row } from '#test/helpers/e2e-integrator.ts';

/** In headless Chromium nobody can choose a file: without the picker the page starts a download. */
export const withoutPicker = (page: Page): Promise<unknown> =>
  page.evaluate('delete Window.prototype.showSaveFilePicker; delete window.showSaveFilePicker;');

/** Opens the dialog and chooses a format: without a name, the one for programs. */
export const openExport = async (page: Page, format = /CSV estándar/): Promise<void> => {
  await page.getByRole('button', { name: 'Exportar', exact: true }).click();
  await page.getByRole('radio', { name: format }).check();
};

export const startExport = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Crear el archivo' }).click();

/** Empty cells become null, as in the API. */
export const rowsOf = (text: string): Row[] =>
  (parse(text, { columns: true, bom: true }) as Record<string, string>[]).map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === '' ? null : value])),
  );

/** Begins the export, runs `meanwhile`, and reads the bytes of the downloaded file. */
export const exportedBytes = async (
  page: Page,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<Uint8Array> => {
  const download = page.waitForEvent('download');
  await startExport(page);
  await meanwhile();
  return readFile(await (await download).path());
};

export const exported = async (page: Page, meanwhile?: () => Promise<unknown>): Promise<string> =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(await exportedBytes(page, meanwhile));
