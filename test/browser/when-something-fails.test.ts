import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useSharedStack } from '#test/helpers/e2e-stack.ts';
import { allFindings } from './accessibility.ts';
import { screenshots } from './screenshot.ts';
import { stories, useBrowser } from './use-browser.ts';

const stage = useSharedStack('seeded');
const web = useBrowser(stage);
const NAME = 'Nada se pierde';

/** A filled form, not yet sent. */
const filled = async (): Promise<Page> => {
  const page = await web.signedIn('/connections/new');
  await page.getByRole('radio', { name: 'Servicio de Impuestos Internos' }).check();
  await page.getByLabel('Nombre de la conexión').fill(NAME);
  await page.getByLabel('RUT de quien inicia sesión').fill('70000005-2');
  await page.getByLabel(/^Clave \*$/).fill('clave-de-prueba');
  return page;
};

const send = (page: Page) => page.getByRole('button', { name: 'Conectar y sincronizar' }).click();

const stillThere = async (page: Page): Promise<void> => {
  expect(await page.getByLabel('Nombre de la conexión').inputValue()).toBe(NAME);
  expect(await page.getByLabel(/^Clave \*$/).inputValue()).toBe('clave-de-prueba');
};

const countNamed = async (): Promise<number> =>
  (await stage.api.get('/connections')).filter(({ name }: { name: string }) => name === NAME).length;

const made = (page: Page) => page.getByRole('heading', { name: NAME, level: 1 }).waitFor();

stories('when something fails', () => {
  test('a lost connection is reported, nothing typed is lost, and sending again makes one connection', async () => {
    const page = await filled();
    const before = await countNamed();
    web.expects('ERR_INTERNET_DISCONNECTED');
    await page.context().setOffline(true);
    await send(page);
    await page.getByText('Sin conexión con el servicio').waitFor();
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'lost-connection');
    await page.context().setOffline(false);
    await stillThere(page);
    await send(page);
    await made(page);
    expect(await countNamed()).toBe(before + 1);
  });

  test('a session that ends is opened again over the page, and nothing typed is lost', async () => {
    const page = await filled();
    await page.context().clearCookies();
    await send(page);
    const dialog = page.getByRole('dialog', { name: 'Tu sesión terminó' });
    await dialog.waitFor();
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'session-over');
    await dialog.getByRole('button', { name: 'Entrar al entorno de desarrollo' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await stillThere(page);
    await send(page);
    await made(page);
  });

  test('an internal error is shown with the number that finds it, and nothing typed is lost', async () => {
    const page = await filled();
    web.expects('status of 500');
    await page.route('**/api/connections', (route) =>
      route.fulfill({
        status: 500,
        headers: { 'x-request-id': 'a-number-for-support' },
        json: { error: { code: 'internal_error', message: 'Internal error' } },
      }),
    );
    await send(page);
    await page.getByText('a-number-for-support').waitFor();
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'server-fault');
    await page.unroute('**/api/connections');
    await stillThere(page);
    await send(page);
    await made(page);
  });

  test('missing or refused values are marked next to their fields, and the first one has the focus', async () => {
    const page = await filled();
    await page.getByLabel('RUT de quien inicia sesión').fill('70000005-0');
    web.expects('status of 422');
    await send(page);
    // Only the API validates the check digit.
    const rut = page.getByLabel('RUT de quien inicia sesión');
    await page.getByText('Debe ser un RUT con su dígito verificador correcto.').waitFor();
    expect(await rut.getAttribute('aria-invalid')).toBe('true');
    const focused = () => page.evaluate<string>('document.activeElement?.id ?? ""');
    await expect.poll(focused).toBe(await rut.getAttribute('id'));
    await screenshots(page, 'refused-field');
    expect(await allFindings(page)).toEqual([]);

    await rut.fill('');
    const name = page.getByLabel('Nombre de la conexión');
    await name.fill('');
    await send(page);
    await expect.poll(() => page.getByText('Falta este dato.', { exact: true }).count()).toBe(2);
    await expect.poll(focused).toBe(await name.getAttribute('id'));
  });

  test('a connection is not deleted while it synchronizes, and the page says what to do', async () => {
    const id = await stage.api.connect({ rut: '70000004-4', password: 'clave-de-prueba' }, 'Ocupada');
    await stage.doors.hold('');
    const runId = await stage.api.sync(id);
    await stage.doors.held();
    const page = await web.signedIn(`/connections/${id}`);
    web.expects('status of 409');
    await page.getByRole('button', { name: 'Eliminar conexión' }).click();
    await page.getByRole('button', { name: 'Eliminar', exact: true }).click();
    await page.getByText('No se puede eliminar mientras se sincroniza').waitFor();
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'delete-refused');
    await page.getByRole('button', { name: 'Cancelar: Ocupada' }).click();
    await page.getByRole('button', { name: 'Cancelar sincronización' }).click();
    await page.getByText('Cancelada', { exact: true }).first().waitFor();
    expect((await stage.api.run(id, runId)).status).toBe('cancelled');
    await stage.doors.letGo();
  });

  test('an unknown address shows that it is unknown', async () => {
    const page = await web.signedIn('/nowhere');
    await page.getByRole('heading', { name: 'Esta página no existe' }).waitFor();
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'not-found');
  });

  test('while a slow page loads, the previous page shows its progress', async () => {
    const page = await web.signedIn('/connections');
    await page.getByRole('heading', { name: 'Conexiones', level: 1 }).waitFor();
    const loading = page.getByRole('status').getByText('Cargando…');
    await expect.poll(() => loading.count()).toBe(0);
    const letGo = Promise.withResolvers<void>();
    await page.route(/\/assets\/webhooks-page-/, async (route) => {
      await letGo.promise;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await loading.waitFor();
    await page.getByRole('heading', { name: 'Conexiones', level: 1 }).waitFor();
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'on-its-way');
    letGo.resolve();
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    // The page's next requests get the same answer.
    await expect.poll(() => loading.count()).toBe(0);
  });

  test('a page whose file does not load keeps the frame, and loads on the next attempt', async () => {
    const page = await web.signedIn('/connections');
    web.expects('ERR_INTERNET_DISCONNECTED');
    web.expects('dynamically imported module');
    const before = page.getByRole('heading', { name: 'Conexiones', level: 1 });
    await before.waitFor();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Webhooks' }).click();
    // The previous page also repeats its request, and would show the same text.
    await before.waitFor({ state: 'detached' });
    await page.getByText('Sin conexión con el servicio').waitFor();
    await page.getByRole('navigation').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Intentar de nuevo' }).click();
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  });
});
