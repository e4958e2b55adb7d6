/** A customer without an account opens a link, types the credentials, and reads what became of them. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useSharedStack } from '#test/helpers/e2e-stack.ts';
import { allFindings } from './accessibility.ts';
import { overflow } from './page-measures.ts';
import { screenshots } from './screenshot.ts';
import { PHONE, stories, useBrowser } from './use-browser.ts';

const stage = useSharedStack();
const web = useBrowser(stage);

/** The first sync on a busy machine: the limit only ends a hanging test. */
const VERDICT_MS = 100_000;
const PASSWORD = 'clave-de-prueba';

const makeLink = async (changes: object = {}): Promise<{ id: string; url: string }> => {
  const body = { kind: 'single', asked_by: 'Contadores Asociados', ...changes };
  const { data } = await stage.api.must(201, 'POST', '/connect-links', { as: 'session', body });
  return data;
};
const forTax = { external_source_code: 'tax', enabled_scopes: ['rcv'] };
const forBank = { external_source_code: 'bankone', enabled_scopes: ['balances'] };

const pathOf = (url: string): string => url.slice(new URL(url).origin.length);

const fill = async (page: Page, credentials: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, value] of Object.entries(credentials)) await page.locator(`#credentials_${name}`).fill(value);
};
const type = (page: Page, rut: string): Promise<void> => fill(page, { rut, password: PASSWORD });

/** docs/sandbox-credentials.md: outcome, what the link asks for, login, and how the verdict begins in both languages. */
const OUTCOMES: readonly [string, object, string | Record<string, string>, string, string][] = [
  ['source.invalid_credentials', forTax, '70000010-9', 'El usuario o la clave no son', 'The user or the password is'],
  ['source.password_expired', forTax, '70000018-4', 'La clave venció', 'The password expired'],
  [
    'source.account_locked',
    forTax,
    '70000011-7',
    'Servicio de Impuestos Internos bloqueó',
    'Servicio de Impuestos Internos locked',
  ],
  ['source.login_not_allowed', forTax, '70000066-4', 'Este usuario no tiene permiso', 'This user may not log in'],
  ['source.mfa_required', forBank, '11000013-8', 'Banco Uno pide un segundo paso', 'Banco Uno asks for a second step'],
  ['source.wrong_company', forBank, '11000035-9', 'El usuario entra, pero no puede', 'The login works, but it cannot'],
  [
    'source.consent_expired',
    { external_source_code: 'banktwo', enabled_scopes: ['balances'] },
    { client_id: 'banktwo-scope-refused', client_secret: 'secreto-de-prueba', company_rut: '76200321-K' },
    'El permiso que diste en Banco Dos venció',
    'The permission that you gave at Banco Dos expired',
  ],
];

/** Outcomes that the sandbox takes minutes to reach: the answer is planted. Each login is tried by every-login.test.ts. */
const LATE: readonly [state: string, code: string, es: string, en: string][] = [
  ['refused', 'source.mfa_timeout', 'Nadie aprobó el ingreso', 'The login was not approved'],
  ['unavailable', 'source.maintenance', 'Banco Uno no responde bien', 'Banco Uno does not answer properly'],
  ['unavailable', 'source.unexpected_response', 'Algo falló de nuestro lado', 'Something failed on our side'],
];

const expectReadableOnPhone = async (page: Page): Promise<void> => {
  await page.setViewportSize(PHONE);
  expect(await allFindings(page)).toEqual([]);
  expect(await overflow(page)).toBe(0);
};

stories('a customer connects by a link', () => {
  test('who asks for what; accepted; back to the sender; the address works no more', async () => {
    const { id, url } = await makeLink({
      ...forTax,
      metadata: { reference: 'navegador-1' },
      return_url: 'https://erp.example/listo?paso=2',
    });
    const page = await web.open(pathOf(url));
    await page.getByText('«Contadores Asociados» pide leer tus datos en Servicio de Impuestos Internos.').waitFor();
    // The token is in the history of no browser.
    expect(page.url()).not.toContain('#');
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'connect-asked');
    await type(page, '70000002-8');
    await page.getByRole('button', { name: 'Conectar', exact: true }).click();
    await page.getByText('Listo: Servicio de Impuestos Internos aceptó tus datos').waitFor({ timeout: VERDICT_MS });
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'connect-accepted');
    // The session is closed, so the page could not be loaded again in another language.
    expect(await page.getByRole('button', { name: 'English' }).count()).toBe(0);
    await expectReadableOnPhone(page);
    const left = page.waitForRequest((request) => request.url().startsWith('https://erp.example/'));
    web.expects('asks https://erp.example');
    web.expects('net::ERR');
    await page.route('https://erp.example/**', (route) => route.fulfill({ body: 'ERP' }));
    await page.getByRole('button', { name: 'Volver a erp.example' }).click();
    const back = new URL((await left).url());
    expect(Object.fromEntries(back.searchParams)).toEqual({ paso: '2', link_id: id, status: 'connected' });

    web.expects('status of 410');
    const again = await web.open(pathOf(url));
    await again.getByText('Este enlace ya no sirve').waitFor();
    expect(await allFindings(again)).toEqual([]);
    const [connection] = await stage.api.get('/connections?reference=navegador-1');
    expect(connection.created_by).toEqual({ kind: 'connect_link', id });
  });

  test.each(OUTCOMES)('%s in both languages, on desktop and phone', async (_, asked, login, es, en) => {
    const page = await web.open(pathOf((await makeLink(asked)).url));
    await (typeof login === 'string' ? type(page, login) : fill(page, login));
    await page.getByRole('button', { name: 'Conectar', exact: true }).click();
    await page.getByText(es).waitFor({ timeout: VERDICT_MS });
    expect(await allFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByText(en).waitFor();
    await expectReadableOnPhone(page);
  });

  test.each(LATE)('%s: %s in both languages, on desktop and phone', async (state, error_code, es, en) => {
    // Without a token there is no link.
    web.expects('status of 410');
    const page = await web.open('/connect');
    await page.route('**/connect-session', async (route) => {
      const response = await route.fetch();
      const { data } = await response.json();
      await route.fulfill({ response, json: { data: { ...data, state, error_code } } });
    });
    await page.goto(pathOf((await makeLink(forBank)).url));
    await page.getByText(es).waitFor();
    expect(await allFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByText(en).waitFor();
    await expectReadableOnPhone(page);
  });

  test('an approval on the phone is asked for until a time', async () => {
    const page = await web.open(pathOf((await makeLink(forBank)).url));
    await type(page, '11000012-K');
    await page.getByRole('button', { name: 'Conectar', exact: true }).click();
    await page.getByText(/espera tu aprobación en el teléfono hasta las \d\d:\d\d\./).waitFor({ timeout: VERDICT_MS });
    await page.getByText('Listo: Banco Uno aceptó tus datos').waitFor({ timeout: VERDICT_MS });
  });

  test('a repair refuses another login in words, and takes the same one', async () => {
    const id = await stage.api.connect({ rut: '70000010-9', password: PASSWORD }, 'Clave mala');
    const page = await web.signedIn(`/links?repair=${id}`);
    await page.getByLabel('Quién lo pide').fill('Contadores Asociados');
    await page.getByRole('button', { name: 'Crear el enlace' }).click();
    const url = await page.getByText(/^https?:.*\/connect#svc_cl_/).textContent();
    const customer = await web.open(pathOf(url!));
    await customer.getByText('pide que escribas otra vez tus datos de acceso').waitFor();
    web.expects('status of 422');
    await type(customer, '70000002-8');
    await customer.getByRole('button', { name: 'Conectar', exact: true }).click();
    await customer.getByText('Estos datos son de otro usuario u otra empresa').waitFor();
    expect(await allFindings(customer)).toEqual([]);
    await type(customer, '70000010-9');
    await customer.getByRole('button', { name: 'Conectar', exact: true }).click();
    await customer.getByText('El usuario o la clave no son').waitFor({ timeout: VERDICT_MS });
  });

  test('another link in the same browser does not get what was typed, and the page opens its own again', async () => {
    const own = await makeLink({ ...forTax, metadata: { reference: 'navegador-2' } });
    const page = await web.open(pathOf(own.url));
    await type(page, '70000002-8');
    const other = await page.context().newPage();
    const foreign = await makeLink({ ...forTax, asked_by: 'Otro' });
    await other.goto(pathOf(foreign.url));
    await other.getByText('«Otro» pide leer tus datos').waitFor();
    web.expects('status of 410');
    await page.getByRole('button', { name: 'Conectar', exact: true }).click();
    await page.getByText('Comprobando con').waitFor();
    expect(await stage.api.get(`/connect-links/${foreign.id}`)).toMatchObject({ connection_id: null });
    expect(await stage.api.get('/connections?reference=navegador-2')).toHaveLength(1);
  });

  test('a program that checks links in mails opens the address in between: nothing typed is lost', async () => {
    const { url } = await makeLink({ ...forTax, metadata: { reference: 'navegador-3' } });
    const page = await web.open(pathOf(url));
    await type(page, '70000002-8');
    // It runs the page's scripts as a browser does, and so ends the customer's session.
    const checker = await web.open(pathOf(url));
    await checker.getByText('pide leer tus datos').waitFor();
    web.expects('status of 410');
    await page.getByRole('button', { name: 'Conectar', exact: true }).click();
    await page.getByText('Comprobando con').waitFor();
    expect(await stage.api.get('/connections?reference=navegador-3')).toHaveLength(1);
  });

  test('with the keyboard only', async () => {
    const page = await web.open(pathOf((await makeLink(forTax)).url), { locale: 'en-GB' });
    await page.getByText('“Contadores Asociados” asks to read your data').waitFor();
    const focused = () => page.evaluate('document.activeElement?.id ?? ""') as Promise<string>;
    const tabTo = async (id: string): Promise<void> => {
      for (let n = 0; n < 20 && (await focused()) !== id; n++) await page.keyboard.press('Tab');
      expect(await focused()).toBe(id);
    };
    await tabTo('credentials_rut');
    await page.keyboard.type('70000005-2');
    await tabTo('credentials_password');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page
      .getByText('Done: Servicio de Impuestos Internos accepted your credentials')
      .waitFor({ timeout: VERDICT_MS });
    await expectReadableOnPhone(page);
    // Neither the token nor the password is in the browser's storage.
    const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
    expect(stored).not.toMatch(/svc_cl_|clave-de-prueba|connect/);
  });

  test('a person makes a link in the dashboard, copies it once, and cancels it', async () => {
    const page = await web.signedIn('/connections');
    // The first list is read before the link is made, and arrives after it.
    const isMade = Promise.withResolvers<void>();
    let reads = 0;
    await page.route('**/connect-links?*', async (route) => {
      if (reads++ > 0) return await route.continue();
      const response = await route.fetch();
      await isMade.promise;
      // The page may have given the request up.
      await route.fulfill({ response }).catch(() => undefined);
    });
    await page.getByRole('link', { name: 'Enlaces' }).click();
    // The previous page has a field of the same name.
    await page.getByRole('heading', { name: 'Enlaces para conectar', level: 1 }).waitFor();
    await page.getByLabel('Institución').selectOption({ label: 'Servicio de Impuestos Internos' });
    await page.getByLabel('Quién lo pide').fill('Contadores Asociados');
    await page.getByLabel('Nombre de la conexión (opcional)').fill('Ferretería Lota');
    await page.getByRole('button', { name: 'Crear el enlace' }).click();
    const url = await page.getByText(/^https?:.*\/connect#svc_cl_/).textContent();
    isMade.resolve();
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'links');
    const customer = await web.open(pathOf(url!));
    await customer.getByText('Para: Ferretería Lota').waitFor();
    await page.getByRole('button', { name: 'Cancelar el enlace para Ferretería Lota' }).click();
    await page.getByRole('button', { name: 'Cancelar el enlace', exact: true }).click();
    await page.getByText('Cancelado').first().waitFor();
    web.expects('status of 410');
    await type(customer, '70000002-8');
    await customer.getByRole('button', { name: 'Conectar', exact: true }).click();
    await customer.getByText('Este enlace ya no sirve').waitFor();
  });
});
