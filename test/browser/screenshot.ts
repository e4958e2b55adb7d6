/** Pictures of a page, in CI or with SCREENSHOTS=1: `dist/screenshots/<name>-<light|dark|phone>.png`. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { DESKTOP, PHONE } from './use-browser.ts';

const FOLDER = join(import.meta.dirname, '../../dist/screenshots');
const ARE_WANTED = process.env.CI === 'true' || process.env.SCREENSHOTS === '1';

const take = async (page: Page, file: string): Promise<void> => {
  // If a dialog is open, the picture shows only the visible part of the page.
  const fullPage = (await page.getByRole('dialog').count()) === 0;
  await page.screenshot({ path: join(FOLDER, `${file}.png`), fullPage, animations: 'disabled' });
};

/** In both themes, and on a phone. Restores the page afterwards. */
export const screenshots = async (page: Page, name: string): Promise<void> => {
  if (!ARE_WANTED) return;
  mkdirSync(FOLDER, { recursive: true });
  await take(page, `${name}-light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await take(page, `${name}-dark`);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(PHONE);
  await take(page, `${name}-phone`);
  await page.setViewportSize(DESKTOP);
};
