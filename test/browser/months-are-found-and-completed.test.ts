/** The month matrix: a missing month and differing totals are found, explained and mended; then every month is equal. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SANDBOX_CREDENTIALS } from '#shared/sources/tax/sandbox/credentials.ts';
import { addMonths, santiagoPeriod } from '#shared/values/dates.ts';
import { useSharedStack } from '#test/helpers/e2e-stack.ts';
import { allFindings } from './accessibility.ts';
import { CHROMIUM } from './chromium.ts';
import { overflow } from './page-measures.ts';
import { screenshots } from './screenshot.ts';
import { spanishMonth } from './spanish-month.ts';
import { PHONE, stories, useBrowser } from './use-browser.ts';

const stage = useSharedStack();
const web = useBrowser(stage);

/** The months of the matrix before the current one, oldest first, by the clock of the browser. */
const CURRENT = santiagoPeriod(Date.now());
const PAST = Array.from({ length: 11 }, (_, at) => addMonths(CURRENT, at - 11));
/** The month that was never requested. */
const GAP = PAST[8]!;

const loginOf = (wanted: string) => SANDBOX_CREDENTIALS.find(({ behaviour }) => behaviour === wanted)!.credentials;

const connect = async (name: string, behaviour: string, company: string | null): Promise<string> => {
  const metadata = company === null ? {} : { company_rut: '76192083-9', company_name: company };
  const body = {
    ...{ external_source_code: 'tax', name, enabled_scopes: ['rcv'], metadata },
    credentials: loginOf(behaviour),
  };
  return (await stage.api.must(201, 'POST', '/connections', { as: 'session', body })).id;
};

const synchronize = async (id: string, periods: readonly string[]): Promise<void> => {
  const run = await stage.api.finished(id, await stage.api.sync(id, periods));
  expect(run.status).toBe('succeeded');
};

interface Difference {
  group: Record<string, string>;
}

let differing: string;

beforeAll(async () => {
  if (CHROMIUM === null) return;
  const gapped = await connect('Ventas Añañuca', 'works', 'Añañuca SpA');
  differing = await connect('Copihue Añañuca', 'register_totals', null);
  await Promise.all([
    synchronize(
      gapped,
      PAST.filter((period) => period !== GAP),
    ),
    synchronize(differing, PAST),
  ]);
});
afterAll(async () => {
  if (CHROMIUM !== null) await stage.doors.knobs({ excessTotal: 1_000_000 });
});

const cells = (page: Page, label: RegExp) =>
  page.getByRole('table', { name: 'Estado de los meses' }).getByRole('button', { name: label });

const grouped = (amount: string): string => amount.replaceAll(/\B(?=(\d{3})+$)/g, '.');

stories('the month matrix', () => {
  test('shows what is missing and what differs, completes it, and is green', async () => {
    const page = await web.signedIn('/connections');
    await page.getByRole('link', { name: 'Meses', exact: true }).click();
    await page.getByLabel('Buscar empresa por nombre o RUT').fill('añañuca');
    await page.getByText('76.192.083-9 · 1 conexión').waitFor();
    expect(await cells(page, /./).count()).toBe(24);
    expect(await cells(page, /^Abierto, /).count()).toBe(2);
    expect(await cells(page, /^Cuadra, .*, Añañuca SpA$/).count()).toBe(10);
    expect(await cells(page, /^No cuadra, .*, Copihue Añañuca$/).count()).toBe(11);
    await page.getByText('Faltan por resolver 12 meses en 2 conexiones.').waitFor();
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'months');

    await cells(page, new RegExp(`^No pedido, ${spanishMonth(GAP)}, Añañuca SpA$`)).click();
    await page.getByRole('dialog').getByText('Nunca se ha pedido a la institución.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await cells(page, new RegExp(`^No cuadra, ${spanishMonth(GAP)}, Copihue Añañuca$`)).click();
    const { data } = await stage.api.must(200, 'GET', `/connections/${differing}/coverage/rcv/${GAP}`);
    const { institution, ours } = data.differences.find(({ group }: Difference) => group.estado === 'registro');
    const table = page
      .getByRole('dialog')
      .getByRole('table', { name: `Cifras de Registro de compras y ventas, ${spanishMonth(GAP)}, Copihue Añañuca` });
    const invoices = table.getByRole('row', { name: /^Factura electrónica/ }).filter({ hasText: 'Diferencia' });
    await invoices.first().waitFor();
    expect((await invoices.allInnerTexts()).join()).toContain(
      `${grouped(institution)}\t${grouped(ours)}\nDiferencia -1.000.000`,
    );
    // The sum of the section is its first line, and has the same difference.
    const sum = table.getByRole('row', { name: /^Total recibidos · registro/ });
    expect(await sum.innerText()).toContain('Diferencia -1.000.000');
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'months-figures');
    await page.keyboard.press('Escape');

    await stage.doors.knobs({ excessTotal: 0 });
    await page.getByRole('button', { name: 'Sincronizar lo que falta' }).click();
    await page.getByText(/^Sincronización 1 de 2: /).waitFor();
    await page.getByText('Listo: 2 de 2 sincronizaciones terminaron completas.').waitFor({ timeout: 100_000 });
    expect(await cells(page, /^Cuadra, /).count()).toBe(22);
    await page.getByText('No falta nada en los meses que se muestran.').waitFor();
    expect(await page.getByRole('button', { name: 'Sincronizar lo que falta' }).isDisabled()).toBe(true);
    expect(await allFindings(page)).toEqual([]);
  }, 150_000);

  test('works on a phone, in English and by keyboard', async () => {
    const look = { locale: 'en-GB', viewport: PHONE, colorScheme: 'dark' } as const;
    const page = await web.signedIn('/months?q=añañuca', look);
    const first = page.getByRole('button', { name: new RegExp(`^Open, \\w{3} ${CURRENT.slice(0, 4)}, Añañuca SpA$`) });
    await first.waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await allFindings(page)).toEqual([]);
    // The names stay visible while the months scroll.
    const name = page.getByRole('link', { name: 'Añañuca SpA' });
    const before = await name.boundingBox();
    await first.focus();
    for (let n = 0; n < 11; n++) await page.keyboard.press('ArrowRight');
    const last = page.locator('button:focus');
    expect(await last.getAttribute('aria-label')).toMatch(/Añañuca SpA$/);
    expect((await name.boundingBox())!.x).toBe(before!.x);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await page
      .getByRole('dialog')
      .getByRole('table', { name: /^Figures of / })
      .waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await allFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await name.click();
    await page.getByRole('heading', { name: 'Months of Añañuca SpA' }).waitFor();
    await page
      .getByRole('button', { name: /, Purchase and sales register, Ventas Añañuca$/ })
      .first()
      .waitFor();
    expect(await allFindings(page)).toEqual([]);
  });

  test('waits for the limits, explains a refusal, and can be cancelled', async () => {
    // A login of its own: a cancelled login delays the next login of the same person.
    const off = await connect('Alerce uno', 'unknown_fields', null);
    await stage.api.must(200, 'PATCH', `/connections/${off}`, { as: 'session', body: { enabled: false } });
    await connect('Alerce dos', 'unknown_fields', null);
    await connect('Alerce tres', 'unknown_fields', null);
    const page = await web.signedIn('/months?q=alerce');
    web.expects('status of 429');
    web.expects('status of 409');
    let refused = 0;
    await page.route('**/api/connections/*/sync', async (route) => {
      if (refused++ > 0) return route.fallback();
      const body = JSON.stringify({ error: { code: 'rate_limited', message: '' } });
      await route.fulfill({ status: 429, headers: { 'retry-after': '2' }, contentType: 'application/json', body });
    });
    await stage.doors.hold('');
    try {
      await page.getByRole('button', { name: 'Sincronizar lo que falta' }).click();
      await page.getByText('El servicio pide esperar 2 s antes de seguir.').waitFor();
      await page.getByText(/^Sincronización \d de 3: .*Entrando a la institución/).waitFor();
      expect(await allFindings(page)).toEqual([]);
      await screenshots(page, 'months-syncing');
      // The disabled connection may be before or after the one that waits.
      await page.getByRole('button', { name: 'Cancelar' }).click();
      await page.getByText(/^Cancelado\. 0 de 3 sincronizaciones/).waitFor();
    } finally {
      await stage.doors.letGo();
    }
    await page.getByLabel('Buscar empresa por nombre o RUT').fill('alerce uno');
    await page.getByRole('button', { name: 'Sincronizar lo que falta' }).click();
    await page.getByText('La conexión está desactivada. Actívala para sincronizarla.').waitFor();
    await page.getByText('Listo: 0 de 1 sincronizaciones terminaron completas.').waitFor();
    expect(await allFindings(page)).toEqual([]);
  });

  test('a thousand connections take five requests, and the page says what it does not show', async () => {
    const page = await web.signedIn('/links');
    let requests = 0;
    await page.route('**/api/coverage?*', async (route) => {
      requests += 1;
      const offset = Number(new URL(route.request().url()).searchParams.get('offset'));
      const data = Array.from({ length: 200 }, (_, at) => ({
        ...{ connection_id: `c${offset + at}`, external_source_code: 'tax', name: `Empresa ${offset + at}` },
        ...{ company_name: null, company_rut: null, scopes: [{ scope: 'rcv', periods: [] }] },
      }));
      const pagination = { total: 1_001, limit: 200, offset, has_more: true };
      await route.fulfill({ json: { data, pagination } });
    });
    await page.getByRole('link', { name: 'Meses', exact: true }).click();
    await page.getByText('Se leyeron 1.000 de 1.001 conexiones; las demás no aparecen aquí.').waitFor();
    await page.getByText('Se muestran 50 de 1.000 empresas.').waitFor();
    expect(requests).toBe(5);
  });
});
