/** The page of the tax register, as stories find things on it. */
import type { Locator, Page } from 'playwright-core';

/** A count as a Spanish page shows it. */
export const spanish = (count: number): string => new Intl.NumberFormat('es-CL').format(count);

/** Waits until the page shows how many rows the list has. */
export const waitForTotal = (page: Page, count: number): Promise<void> =>
  page
    .getByText(`${spanish(count)} filas`, { exact: true })
    .first()
    .waitFor();

export const findRegister = (page: Page): Locator => page.getByRole('table', { name: /^Tabla: Registro/ });
