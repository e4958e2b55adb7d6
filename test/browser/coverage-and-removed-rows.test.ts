/** Which months are stored and whether their totals agree, with the figures; and the removed rows of a run. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { SANDBOX_CREDENTIALS } from '#shared/sources/tax/sandbox/credentials.ts';
import { useSharedStack } from '#test/helpers/e2e-stack.ts';
import { allFindings } from './accessibility.ts';
import { CHROMIUM } from './chromium.ts';
import { screenshots } from './screenshot.ts';
import { spanishMonth } from './spanish-month.ts';
import { stories, useBrowser } from './use-browser.ts';

const stage = useSharedStack();
const web = useBrowser(stage);
let connectionId: string;
let months: string[];

/** Its register reports a total that is a million more than its rows. */
const DIFFERS = SANDBOX_CREDENTIALS.find(({ behaviour }) => behaviour === 'register_totals')!;

beforeAll(async () => {
  if (CHROMIUM === null) return;
  const { api } = stage;
  const body = {
    ...{ external_source_code: 'tax', name: 'Totales', enabled_scopes: ['rcv', 'guias'], metadata: {} },
    credentials: DIFFERS.credentials,
  };
  connectionId = (await api.must(201, 'POST', '/connections', { as: 'session', body })).id;
  const run = await api.finished(connectionId, await api.sync(connectionId));
  expect(run.status).toBe('succeeded');
  const { data } = await api.must(200, 'GET', `/connections/${connectionId}/coverage?scope=rcv`);
  months = data[0].periods.map(({ period }: { period: string }) => period);
});

interface Figure {
  figure: string;
  institution: string;
  ours: string;
}

const coverageOf = async (scope: string): Promise<{ period: string; verdict: string; differences: Figure[] }[]> => {
  const { data } = await stage.api.must(200, 'GET', `/connections/${connectionId}/coverage?scope=${scope}`);
  return data[0].periods;
};

const grouped = (amount: string): string => amount.replaceAll(/\B(?=(\d{3})+$)/g, '.');
const tableOf = (page: Page, label: RegExp) => page.getByRole('table', { name: label });

stories('coverage', () => {
  test('each month says what is there, and whether it comes to the totals of the institution', async () => {
    const page = await web.signedIn(`/connections/${connectionId}`);
    await page.getByRole('link', { name: 'Ver cobertura' }).click();
    await page.getByRole('heading', { name: 'Cobertura de Totales' }).waitFor();
    const register = tableOf(page, /^Meses de Registro de compras y ventas/);
    await register.waitFor();
    expect(await register.getByRole('row').count()).toBe(months.length + 1);

    const covered = await coverageOf('rcv');
    const differing = covered.filter(({ verdict }) => verdict === 'differs');
    expect(differing.length).toBeGreaterThan(0);
    expect(await register.getByText('No cuadra', { exact: true }).count()).toBe(differing.length);
    const [{ institution, ours }] = differing[0]!.differences as [Figure];
    await register.getByText(`${grouped(institution)} según la institución, ${grouped(ours)} guardado`).waitFor();
    expect(await register.getByText('Completo', { exact: true }).count()).toBe(months.length - 1);
    expect(await register.getByText('Abierto', { exact: true }).count()).toBe(1);

    // The institution keeps guides for six months: older ones were never read, and the page says why.
    const guides = tableOf(page, /^Meses de Guías de despacho/);
    const read = await coverageOf('guias');
    const equal = read.filter(({ verdict }) => verdict === 'equal').length;
    expect(equal).toBeGreaterThan(0);
    expect(await guides.getByText('Cuadra', { exact: true }).count()).toBe(equal);
    expect(await guides.getByText('Nunca leído', { exact: true }).count()).toBeGreaterThan(0);
    await guides.getByText('Algunos períodos son más antiguos que lo que la institución entrega.').first().waitFor();
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'coverage');
  });

  test('the figures of a month are listed by group, the institution’s next to ours', async () => {
    const page = await web.signedIn(`/connections/${connectionId}/coverage`);
    const [differing] = (await coverageOf('rcv')).filter(({ verdict }) => verdict === 'differs');
    const { period, differences } = differing!;
    const register = tableOf(page, /^Meses de Registro de compras y ventas/);
    await register.getByRole('button', { name: `Ver cifras de ${spanishMonth(period)}` }).click();
    expect(await figuresShown(page)).toContain(
      `${grouped(differences[0]!.institution)}\t${grouped(differences[0]!.ours)}`,
    );
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'coverage-figures');
  });

  test('the same texts exist in English', async () => {
    const page = await web.signedIn(`/connections/${connectionId}/coverage`, { locale: 'en-GB' });
    await page.getByRole('heading', { name: 'Coverage of Totales' }).waitFor();
    await tableOf(page, /^Months of Purchase and sales register/)
      .getByText('Differs', { exact: true })
      .first()
      .waitFor();
  });
});

/** Rows of the first group, in which a figure differs. */
const figuresShown = async (page: Page): Promise<string> => {
  const table = page.getByRole('dialog').getByRole('table').first();
  await table.waitFor();
  return (await table.getByRole('row').allInnerTexts()).join('\n');
};

stories('a run that removed rows', () => {
  test('says so before its other notices, in figures', async () => {
    const page = await web.signedIn('/');
    const notice = {
      code: 'bankone.movements.rows_replaced',
      message: '2026-10: 17 provisional rows that the closed statement does not show were removed.',
      params: { period: '2026-10', count: 17 },
    };
    // A month needs weeks to close, so the test puts the notice of such a run into the answer of another run.
    await page.route(`**/api/connections/${connectionId}/sync-runs`, async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { data: { scope_outcomes: { notices: unknown[] }[] }[] };
      body.data[0]!.scope_outcomes[0]!.notices.unshift(notice);
      await route.fulfill({ response, json: body });
    });
    await page.goto(`/connections/${connectionId}`);
    await page.getByText('Filas retiradas: Una lectura completa reemplazó filas que estaban guardadas.').waitFor();
    await page.getByText('oct 2026 · 17', { exact: true }).waitFor();
    expect(await page.getByText(notice.message).count()).toBe(0);
    expect(await allFindings(page)).toEqual([]);
  });
});
