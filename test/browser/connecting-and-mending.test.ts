import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useSharedStack } from '#test/helpers/e2e-stack.ts';
import { allFindings } from './accessibility.ts';
import { screenshots } from './screenshot.ts';
import { showsAtOnce } from './switch.ts';
import { stories, useBrowser } from './use-browser.ts';

const stage = useSharedStack();
const web = useBrowser(stage);
const PASSWORD = 'clave-de-prueba';
/** docs/sandbox-credentials.md: works; wrong password. */
const WORKS = '70000002-8';
const WRONG = '70000010-9';

const fill = async (page: Page, name: string, rut: string): Promise<void> => {
  await page.getByRole('radio', { name: 'Servicio de Impuestos Internos' }).check();
  await page.getByLabel('Nombre de la conexión').fill(name);
  await page.getByLabel('RUT de quien inicia sesión').fill(rut);
  await page.getByLabel(/^Clave \*$/).fill(PASSWORD);
};

/** A year of three scopes on a busy machine: the limit only ends a hanging test. */
const SYNC_TIMEOUT_MS = 100_000;

/** Waits until the page shows this status for the newest run. */
const finished = (page: Page, status: string): Promise<void> =>
  page
    .locator('section', { hasText: 'Historial' })
    .locator('li')
    .first()
    .getByText(status, { exact: true })
    .first()
    .waitFor({ timeout: SYNC_TIMEOUT_MS });

/** Hints of the field `company_rut` by institution; bank two requires it. */
const COMPANY_HINTS = {
  'Servicio de Impuestos Internos': /^La empresa cuyo registro se lee\. Si queda vacío, el RUT que inicia sesión\.$/,
  'Banco Uno': /^La empresa cuyas cuentas se leen\. Si queda vacío, la que el banco elige al entrar\.$/,
  'Banco Dos': /^La empresa cuyas cuentas se leen\.$/,
  'Banco Tres': /^El RUT que las cartolas deben llevar\. Si queda vacío, el que inicia sesión\.$/,
};

stories('connecting and repairing', () => {
  test('the form explains the company as the chosen institution means it', async () => {
    const page = await web.signedIn('/connections/new');
    for (const [institution, hint] of Object.entries(COMPANY_HINTS)) {
      await page.getByRole('radio', { name: institution }).check();
      await page.getByText(hint).waitFor();
    }
  });

  test('connect, synchronize with live progress, see the outcome of every scope', async () => {
    const page = await web.signedIn('/connections');
    await page.getByRole('link', { name: 'Conectar' }).click();
    await fill(page, 'Panadería Ñuñoa', WORKS);
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'connection-create');
    await stage.doors.hold('');
    await page.getByRole('button', { name: 'Conectar y sincronizar' }).click();

    await page.getByRole('heading', { name: 'Panadería Ñuñoa', level: 1 }).waitFor();
    // The institution delays the answer: the page shows the progress meanwhile.
    await page.getByRole('status', { name: 'Avance de la sincronización' }).waitFor();
    await stage.doors.letGo();
    await finished(page, 'Completa');
    await page.getByText('Aviso: Algunos períodos son más antiguos').first().waitFor();
    await page.getByText('Activa', { exact: true }).waitFor();
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'connection-detail');

    await page.getByRole('link', { name: 'Conexiones' }).click();
    await page.getByRole('heading', { name: 'Conexiones', level: 1 }).waitFor();
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'connections');
  });

  test('a wrong password is reported in plain words, and new sign-in details repair the connection', async () => {
    const page = await web.signedIn('/connections/new');
    await fill(page, 'Clave mala', WRONG);
    await page.getByRole('button', { name: 'Conectar y sincronizar' }).click();
    await page.getByText('Requiere atención').first().waitFor({ timeout: SYNC_TIMEOUT_MS });
    await finished(page, 'Fallida');
    await page.getByText('La institución no aceptó el usuario o la clave').first().waitFor();
    await page.getByText('Puedes repararlo tú').first().waitFor();
    await page.getByText('Probarlos otra vez puede bloquear la cuenta').waitFor();
    await screenshots(page, 'connection-in-error');
    expect(await allFindings(page)).toEqual([]);

    await page.getByRole('link', { name: 'Actualizar datos de acceso' }).first().click();
    await page.getByLabel('RUT de quien inicia sesión').fill('70000005-2');
    await page.getByLabel(/^Clave \*$/).fill(PASSWORD);
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'connection-credentials');
    await page.getByRole('button', { name: 'Guardar y sincronizar' }).click();
    await finished(page, 'Completa');
    await page.getByText('Activa', { exact: true }).waitFor();
    expect(await page.getByText('puede bloquear la cuenta').count()).toBe(0);
  });

  test('schedule, sync of one month, disable, delete', async () => {
    const id = await stage.api.connect({ rut: WORKS, password: PASSWORD }, 'Por borrar');
    const page = await web.signedIn(`/connections/${id}`);
    expect(await showsAtOnce(page.getByRole('switch', { name: 'Sincronizar automáticamente' }))).toBe(true);
    await expect.poll(() => stage.api.get(`/connections/${id}`)).toMatchObject({ sync_frequency_minutes: 1440 });

    await page.getByLabel('Desde el mes').fill('2026-09');
    await page.getByLabel('Hasta el mes').fill('2026-08');
    await page.getByRole('button', { name: 'Sincronizar ahora' }).click();
    // The API refuses it: the error is next to its field, and the typed text is still there.
    web.expects('status of 422');
    await page.getByText('no puede ser posterior al otro extremo').waitFor();
    expect(await page.getByLabel('Hasta el mes').inputValue()).toBe('2026-08');
    await page.getByLabel('Hasta el mes').fill('2026-10');
    await page.getByRole('button', { name: 'Sincronizar ahora' }).click();
    await finished(page, 'Completa');
    const [run] = await stage.api.get(`/connections/${id}/sync-runs`);
    expect(run.scope_outcomes[0].periods).toEqual(['2026-09', '2026-10']);

    await page.getByRole('button', { name: 'Desactivar' }).click();
    await page.getByText('La conexión está desactivada').waitFor();
    await page.getByRole('button', { name: 'Eliminar conexión' }).click();
    const deletion = page.getByRole('button', { name: 'Eliminar', exact: true });
    await deletion.waitFor();
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'connection-delete');
    await deletion.click();
    await page.getByRole('heading', { name: 'Conexiones', level: 1 }).waitFor();
    expect((await stage.api.call('GET', `/connections/${id}`)).status).toBe(404);
  });

  test('name, data and settings can be changed, and a bad name is refused next to its field', async () => {
    const id = await stage.api.connect({ rut: WORKS, password: PASSWORD }, 'Nombre antiguo');
    await stage.api.connect({ rut: WORKS, password: PASSWORD }, 'La misma empresa');
    const page = await web.signedIn(`/connections/${id}`);
    await page.getByText('Otra conexión de la organización lee la misma empresa').waitFor();
    await page.getByRole('link', { name: 'Cambiar nombre o datos' }).click();
    const name = page.getByLabel('Nombre de la conexión');
    await name.fill('');
    web.expects('status of 422');
    await page.getByRole('button', { name: 'Guardar' }).click();
    await page.getByText('debe tener al menos 1 caracteres').waitFor();
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'connection-edit');
    await name.fill('Nombre nuevo');
    await page.getByLabel('Guías de despacho').check();
    await page.getByRole('button', { name: 'Guardar' }).click();
    await page.getByRole('heading', { name: 'Nombre nuevo', level: 1 }).waitFor();
    expect(await stage.api.get(`/connections/${id}`)).toMatchObject({ enabled_scopes: ['rcv', 'guias'] });
  });

  test('a source with its own settings shows them in its form', async () => {
    const page = await web.signedIn('/connections/new');
    await page.getByRole('radio', { name: 'Mercado Público' }).check();
    await page.getByLabel('Nombre de la conexión').fill('Licitaciones');
    await page.getByLabel(/^Ticket/).fill('x');
    // Its list of suggestions has the same name.
    const codes = page.locator('input#metadata_codigos');
    await codes.fill('1509-5-L114');
    await codes.press('Enter');
    await page.getByText('1509-5-L114').waitFor();
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'connection-create-settings');
    await page.getByRole('button', { name: 'Conectar y sincronizar' }).click();
    await page.getByRole('heading', { name: 'Licitaciones', level: 1 }).waitFor();
    const [made] = await stage.api.get('/connections');
    expect(made.metadata).toEqual({ codigos: ['1509-5-L114'] });
  });
});
