/** An accountant without a mouse: finds a refused password, mends it, and reads months, figures, rows and a file. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useSharedStack } from '#test/helpers/e2e-stack.ts';
import { withoutPicker } from './exported-file.ts';
import { stories, useBrowser } from './use-browser.ts';

const stage = useSharedStack();
const web = useBrowser(stage);

const NAME = 'Sin ratón SpA';
const PASSWORD = 'clave-de-prueba';
const WRONG = '70000010-9';
const WORKS = '70000002-8';
const TABS_MAX = 120;

/** Accessible name, text or label of the element with the focus. */
const FOCUSED = `(() => {
  const at = document.activeElement;
  return [at.getAttribute('aria-label'), at.labels?.[0]?.textContent, at.textContent].find(Boolean) ?? '';
})()`;

/** Presses Tab until the element has the focus, once the page shows no part as loading. */
const reach = async (page: Page, name: RegExp): Promise<void> => {
  await expect.poll(() => page.getByText('Cargando…').count()).toBe(0);
  const met: string[] = [];
  for (let n = 0; n < TABS_MAX; n++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<string>(FOCUSED);
    if (name.test(focused)) return;
    met.push(focused);
  }
  throw new Error(`no Tab reached ${name}, only ${met.join(' | ')}`);
};

const press = async (page: Page, name: RegExp): Promise<void> => {
  await reach(page, name);
  await page.keyboard.press('Enter');
};

stories('the keyboard', () => {
  test('is enough to find, mend, read and export', async () => {
    const id = await stage.api.connect({ rut: WRONG, password: PASSWORD }, NAME);
    await stage.api.finished(id, await stage.api.sync(id));
    const page = await web.signedIn('/connections');
    await page.getByRole('heading', { name: /^Requieren? atención/ }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('content');

    await press(page, new RegExp(`^Actualizar datos de acceso: ${NAME}`));
    await page.getByRole('button', { name: 'Guardar y sincronizar' }).waitFor();
    await reach(page, /^RUT de quien inicia sesión/);
    await page.keyboard.type(WORKS);
    await reach(page, /^Clave/);
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await stage.api.get(`/connections/${id}`)).last_sync_status).toBe('succeeded');

    await page.getByRole('link', { name: 'Ver cobertura' }).waitFor();
    await press(page, /^Ver cobertura$/);
    await page.getByRole('heading', { name: `Cobertura de ${NAME}` }).waitFor();
    await press(page, /^Ver cifras de /);
    await page.getByRole('dialog').getByRole('table').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // The focus is where it was before the dialog.
    await expect.poll(() => page.evaluate<string>(FOCUSED)).toMatch(/^Ver cifras de /);

    await page.goto(`/months?of=${id}`);
    await page.getByRole('table', { name: 'Estado de los meses' }).waitFor();
    await press(page, /^Abierto, /);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.evaluate<string>(FOCUSED)).toMatch(/^Cuadra, /);

    await page.goto(`/data/${id}/rcv`);
    await withoutPicker(page);
    await page.getByRole('table', { name: /^Tabla: Registro/ }).waitFor();
    await press(page, /^Ver la fila 1$/);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await press(page, /^Exportar$/);
    await page.getByRole('dialog').waitFor();
    const download = page.waitForEvent('download');
    await press(page, /^Crear el archivo$/);
    expect((await download).suggestedFilename()).toMatch(/\.xlsx$/);
  }, 240_000);
});
