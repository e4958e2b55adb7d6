/** The home page of an accountant: forty companies with four connections each, and what must be done, in two clicks. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachConcurrent } from '#shared/platform/concurrency.ts';
import { PORTFOLIO as BANKONE } from '#shared/sources/bankone/sandbox/credentials.ts';
import { PORTFOLIO as BANKTHREE } from '#shared/sources/bankthree/sandbox/credentials.ts';
import { PORTFOLIO as BANKTWO } from '#shared/sources/banktwo/sandbox/credentials.ts';
import { PORTFOLIO as TAX } from '#shared/sources/tax/sandbox/credentials.ts';
import { addMonths, santiagoPeriod } from '#shared/values/dates.ts';
import { until } from '#test/helpers/e2e-integrator.ts';
import { useSharedStack } from '#test/helpers/e2e-stack.ts';
import { allFindings } from './accessibility.ts';
import { listRequests, overflow } from './page-measures.ts';
import { screenshots } from './screenshot.ts';
import { PHONE, stories, useBrowser } from './use-browser.ts';

const stage = useSharedStack();
const web = useBrowser(stage);

const COMPANIES = TAX.length;
const PASSWORD = 'clave-de-prueba';
/**
 * docs/sandbox-credentials.md: works; its totals exceed its rows; wrong password; nobody answers on the phone; somebody
 * approves on it.
 */
const OTHER_WORKS = '70000005-2';
const EXCESS = '70000056-7';
const WRONG = '70000010-9';
const SILENT_PHONE = '11000015-4';
const APPROVING_PHONE = '11000012-K';
/** Also synchronizes all months of the 156 connections without trouble, which takes seven minutes. */
const EVERY_COMPANY = process.env.EVERY_COMPANY === '1';
/** Numbers of the companies with a refused password, a wait for the phone, a missing month, and other totals. */
const [REFUSED, WAITING, BEHIND, DIFFERS] = [17, 23, 31, 36];
const LAST_ENDED = addMonths(santiagoPeriod(Date.now()), -1);
/** The months of the matrix. */
const SHOWN = Array.from({ length: 12 }, (_, at) => addMonths(LAST_ENDED, at - 10));

const rut = (n: number): string => TAX[n - 1]!.credentials.rut;
const dotted = (n: number): string => rut(n).replaceAll(/\B(?=(\d{3})+-)/g, '.');
const nameAt = (n: number): string => `Comercial ${String(n).padStart(2, '0')} SpA`;

const connections = (n: number) => {
  const taxRut = { [REFUSED]: WRONG, [DIFFERS]: EXCESS }[n] ?? rut(n);
  const [one, two, three] = [BANKONE, BANKTWO, BANKTHREE].map((logins) => logins[n - 1]!.credentials);
  return [
    { source: 'tax', scope: 'rcv', credentials: { rut: taxRut, password: PASSWORD } },
    { source: 'bankone', scope: 'movements', credentials: n === WAITING ? { ...one, rut: SILENT_PHONE } : one },
    { source: 'bankthree', scope: 'movements', credentials: three },
    { source: 'banktwo', scope: 'movements', credentials: two },
  ];
};

/** Ids of the connections, by number of the company and source. */
const ids = new Map<string, string>();

const create = async (n: number): Promise<void> => {
  const metadata = { company_rut: rut(n), company_name: nameAt(n) };
  for (const { source, scope, credentials } of connections(n)) {
    const made = { external_source_code: source, name: nameAt(n), enabled_scopes: [scope] };
    const answer = await stage.api.must(201, 'POST', '/connections', {
      as: 'session',
      body: { ...made, credentials, metadata },
    });
    ids.set(`${n} ${source}`, answer.id);
  }
};

const idAt = (n: number, source: string): string => ids.get(`${n} ${source}`)!;

const saveCredentials = async (page: Page, id: string, rutLabel: RegExp, own: string): Promise<void> => {
  await page.goto(`/connections/${id}/credentials`);
  await page.getByLabel(rutLabel).fill(own);
  await page.getByLabel(/^Clave \*$/).fill(PASSWORD);
  // The page proposes the RUT that the list shows, which no login of the sandbox has.
  const company = page.getByLabel('RUT de la empresa');
  expect(await company.inputValue()).not.toBe('');
  await company.fill('');
  await page.getByRole('button', { name: 'Guardar y sincronizar' }).click();
  await expect.poll(async () => (await stage.api.get(`/connections/${id}`)).last_sync_status).toBe('succeeded');
};

/** Mends all four connections as their accountant does, until the months of each are green and nothing needs attention. */
const mend = async (page: Page): Promise<void> => {
  await saveCredentials(page, idAt(REFUSED, 'tax'), /^RUT de quien inicia sesión/, OTHER_WORKS);
  await saveCredentials(page, idAt(WAITING, 'bankone'), /^RUT de quien inicia sesión/, APPROVING_PHONE);
  await stage.doors.knobs({ excessTotal: 0 });
  // The first sync of a register reads all months.
  for (const [n, source, isMissing] of [
    [REFUSED, 'tax', false],
    [WAITING, 'bankone', true],
    [BEHIND, 'tax', true],
    [DIFFERS, 'tax', true],
  ] as const) {
    await page.goto(`/months?of=${idAt(n, source)}`);
    if (isMissing) await page.getByRole('button', { name: 'Sincronizar lo que falta' }).click();
    await page.getByText('No falta nada en los meses que se muestran.').waitFor({ timeout: 100_000 });
    const cells = page.getByRole('table', { name: 'Estado de los meses' }).getByRole('button');
    expect(await cells.count()).toBe(12);
    expect(await page.getByRole('button', { name: /^Cuadra, / }).count()).toBe(11);
    expect(await page.getByRole('button', { name: /^Abierto, / }).count()).toBe(1);
  }
  await page.goto('/connections');
  await page.getByText('40 empresas · 160 conexiones').waitFor();
  expect(await page.getByRole('heading', { name: /Requieren? atención/ }).count()).toBe(0);
  await page.getByRole('link', { name: 'Meses por revisar (0)' }).waitFor();
  if (EVERY_COMPANY) await seeAllGreen(page);
};

/** The matrix of all companies: twelve months of each are equal or complete, but for the current one. */
const seeAllGreen = async (page: Page): Promise<void> => {
  await page.goto('/months?q=comercial');
  await page.getByText('No falta nada en los meses que se muestran.').waitFor();
  const matrix = page.getByRole('table', { name: 'Estado de los meses' });
  expect(await matrix.getByRole('button').count()).toBe(12 * COMPANIES);
  expect(await matrix.getByRole('button', { name: /^(Cuadra|Completo), / }).count()).toBe(11 * COMPANIES);
  expect(await matrix.getByRole('button', { name: /^Abierto, / }).count()).toBe(COMPANIES);
  expect(await allFindings(page)).toEqual([]);
  await screenshots(page, 'months-forty-companies');
};

/** Synchronizes the twelve months of the matrix. Waits where more syncs are started in a minute than an organization may. */
const synchronizeAll = async (id: string): Promise<void> => {
  const run = await until('room for a sync', async () => {
    const months = { body: { metadata: { periods: SHOWN } } };
    const { status, body } = await stage.api.call('POST', `/connections/${id}/sync`, months);
    expect([202, 429]).toContain(status);
    return status === 202 && (body.sync_id as string);
  });
  expect((await stage.api.finished(id, run)).status).toBe('succeeded');
};

/** The four connections that the accountant finds. */
const TROUBLED = [`${REFUSED} tax`, `${WAITING} bankone`, `${BEHIND} tax`, `${DIFFERS} tax`];

stories('forty companies', () => {
  beforeAll(async () => {
    const numbers = Array.from({ length: COMPANIES }, (_, n) => n + 1);
    for (let at = 0; at < COMPANIES; at += 8) await Promise.all(numbers.slice(at, at + 8).map(create));
    const healthy = [...ids].filter(([name]) => !TROUBLED.includes(name)).map(([, id]) => id);
    if (EVERY_COMPANY) await forEachConcurrent(healthy, 6, synchronizeAll);
    const synchronize = async (id: string, periods?: readonly string[]) =>
      stage.api.finished(id, await stage.api.sync(id, periods));
    // One month of the company with other totals is equal.
    await stage.doors.knobs({ excessTotal: 0 });
    await synchronize(idAt(DIFFERS, 'tax'), ['2026-08']);
    await stage.doors.knobs({ excessTotal: 1_000_000 });
    await Promise.all([
      synchronize(idAt(REFUSED, 'tax')),
      synchronize(idAt(BEHIND, 'tax'), ['2026-08']),
      synchronize(idAt(DIFFERS, 'tax'), [LAST_ENDED]),
    ]);
  }, 1_800_000);

  afterAll(async () => {
    await stage.doors.knobs({ excessTotal: 1_000_000 });
  });

  test('what must be done is found in two clicks, on a desk and on a phone, in three requests', async () => {
    const bank = idAt(WAITING, 'bankone');
    const run = await stage.api.sync(bank);
    await expect
      .poll(async () => (await stage.api.get(`/connections/${bank}`)).attention)
      .toEqual(['connection.approval_pending']);

    const page = await web.signedIn('/connections');
    await page.getByRole('heading', { name: 'Requieren atención: 2 conexiones' }).waitFor();
    await page.getByText('40 empresas · 160 conexiones').waitFor();
    await page.waitForLoadState('networkidle');
    expect((await listRequests(page)).sort()).toEqual([
      '/api/connections?sort=company&attention=true&limit=25&offset=0',
      '/api/connections?sort=company&limit=200&offset=0',
      '/session',
    ]);
    await page.getByRole('banner').getByTitle(stage.api.file.organization_id).waitFor();
    await page
      .getByText(`RUT ${dotted(REFUSED)}`)
      .first()
      .waitFor();
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'companies');

    await page
      .getByRole('link', { name: `Actualizar datos de acceso: ${nameAt(REFUSED)}` })
      .first()
      .click();
    await page.getByRole('button', { name: 'Guardar y sincronizar' }).waitFor();
    await page.goBack();
    await page
      .getByRole('link', { name: `Aprobar en el teléfono: ${nameAt(WAITING)}` })
      .first()
      .click();
    await page.getByText(/Banco Uno espera hasta las \d\d:\d\d/).waitFor();
    expect(await allFindings(page)).toEqual([]);
    await page.goBack();
    await page.getByRole('link', { name: 'Meses por revisar (2)' }).click();
    await page.getByText('Completa hasta ago 2026').first().waitFor();
    for (const n of [BEHIND, DIFFERS]) {
      await page.getByRole('link', { name: `Revisar los meses: ${nameAt(n)}` }).click();
      await page.waitForURL(`**/connections/${idAt(n, 'tax')}/coverage`);
      await page
        .getByText(n === DIFFERS ? 'No cuadra' : /^Nunca se han pedido: /)
        .first()
        .waitFor();
      await page.goBack();
    }

    const phone = await web.signedIn('/connections', { viewport: PHONE, locale: 'en-GB' });
    const urgent = phone.getByRole('list', { name: 'Need attention: 2 connections' });
    await urgent.getByText('Waits for the phone').waitFor();
    expect(await allFindings(phone)).toEqual([]);
    expect(await overflow(phone)).toBe(0);
    await phone
      .getByRole('link', { name: `Approve on the phone: ${nameAt(WAITING)}` })
      .first()
      .click();
    await phone.getByText(/Banco Uno waits until \d\d:\d\d/).waitFor();
    await phone.goBack();
    await urgent.getByRole('button', { name: nameAt(REFUSED) }).press('Enter');
    await urgent.getByText(`RUT ${dotted(REFUSED)}`).waitFor();
    expect(await allFindings(phone)).toEqual([]);
    await phone
      .getByRole('link', { name: `Update sign-in details: ${nameAt(REFUSED)}` })
      .first()
      .click();
    await phone.getByRole('button', { name: 'Save and synchronize' }).waitFor();
    await stage.api.must(200, 'POST', `/connections/${bank}/sync-runs/${run}/cancel`);
    await mend(await web.signedIn('/connections'));
  }, 600_000);

  test('search and filters live in the address, and the list stays while the service is away', async () => {
    const page = await web.signedIn('/connections');
    const search = page.getByRole('searchbox', { name: 'Empresa, RUT o conexión' });
    await search.fill(dotted(5));
    await page.getByText('1 empresa · 4 conexiones').waitFor();
    await page.getByLabel('Institución').selectOption({ label: 'Banco Dos' });
    await page.getByText('1 empresa · 1 conexión').waitFor();
    await page.reload();
    await page.getByText('1 empresa · 1 conexión').waitFor();
    expect(await search.inputValue()).toBe(dotted(5));
    await search.fill('ninguna así');
    await page.getByText('Ninguna conexión coincide').waitFor();
    await page.getByRole('button', { name: 'Quitar filtros' }).click();
    await page.getByText('40 empresas · 160 conexiones').waitFor();
    expect(await search.inputValue()).toBe('');
    await page.getByLabel('Estado').selectOption({ label: 'Desactivada' });
    await page.getByText('Ninguna conexión coincide').waitFor();
    await page.goBack();
    await page.getByText('40 empresas · 160 conexiones').waitFor();

    await search.fill('comercial 0');
    await page.getByText('9 empresas · 36 conexiones').waitFor();
    web.expects('ERR_');
    await page.route('**/api/connections?*', (route) => route.abort());
    await search.fill('comercial 07');
    await page.getByText('El servicio no responde. Ves el resultado anterior').waitFor();
    await page.getByText('9 empresas · 36 conexiones').waitFor();
    expect(await allFindings(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'companies-away');
    await page.unroute('**/api/connections?*');
    await page.getByText('1 empresa · 4 conexiones').waitFor();
    await page.getByText('El servicio no responde').waitFor({ state: 'detached' });
  });

  test('the data of all connections come in pages, too, and are found by company', async () => {
    const page = await web.signedIn('/data');
    await page.getByText('1 a 50 de 160').waitFor();
    await page.getByRole('button', { name: 'Última página' }).click();
    await page.getByText('151 a 160 de 160').waitFor();
    await page.getByRole('searchbox', { name: 'Empresa, RUT o conexión' }).fill('comercial 07');
    await expect.poll(() => page.getByRole('heading', { name: nameAt(7) }).count()).toBe(4);
    expect(await allFindings(page)).toEqual([]);
    await page.getByRole('searchbox', { name: 'Empresa, RUT o conexión' }).fill('ninguna así');
    await page.getByText('Ninguna conexión coincide').waitFor();
  });

  test('the form offers to name the company from the typed RUT, and says what will be shown', async () => {
    const page = await web.signedIn('/connections/new');
    await page.getByRole('radio', { name: 'Servicio de Impuestos Internos' }).check();
    await page.getByLabel('Nombre de la conexión').fill('Nueva');
    await page.getByLabel('RUT de quien inicia sesión').fill(rut(5).replace('-', ''));
    await page.getByText('El RUT y el nombre de la empresa se verán en la lista; la clave no.').waitFor();
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'connection-create-company');
    await page.getByRole('button', { name: `Usar el RUT ${dotted(5)}` }).click();
    // The name comes from another connection of the company.
    await expect.poll(() => page.locator('#metadata_company_name').inputValue()).toBe(nameAt(5));
    expect(await page.locator('#metadata_company_rut').inputValue()).toBe(dotted(5));
    await page.getByText('se verán en la lista').waitFor({ state: 'detached' });
  });
});
