/** Balances, money in and out, payments of a batch, and tenders with their files: all other kinds of data. */
import Big from 'big.js';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { useSharedStack } from '#test/helpers/e2e-stack.ts';
import { allFindings } from './accessibility.ts';
import { CHROMIUM } from './chromium.ts';
import { screenshots } from './screenshot.ts';
import { showsAtOnce } from './switch.ts';
import { stories, useBrowser } from './use-browser.ts';

const stage = useSharedStack();
const web = useBrowser(stage);
const ids: Record<string, string> = {};

const connect = async (source: string, enabled_scopes: string[]): Promise<void> => {
  const { api } = stage;
  const { credentials, metadata } = api.file.sandbox[source]!;
  const body = { external_source_code: source, name: source, enabled_scopes, credentials, metadata };
  ids[source] = (await api.must(201, 'POST', '/connections', { as: 'session', body })).id;
  const run = await api.finished(ids[source]!, await api.sync(ids[source]!));
  expect(run.status).toBe('succeeded');
};

beforeAll(async () => {
  if (CHROMIUM === null) return;
  await Promise.all([
    connect('bankone', ['balances', 'movements', 'nominas']),
    connect('banktwo', ['balances', 'movements']),
    connect('procurement', ['licitaciones', 'documentos']),
  ]);
});

type Movement = {
  numero_cuenta: string;
  period: string;
  direction: string;
  currency: string | null;
  amount: string | null;
};

const movements = async (source: string): Promise<Movement[]> => {
  const rows: Movement[] = [];
  for (;;) {
    const path = `/connections/${ids[source]}/${source}-movements?limit=200&offset=${rows.length}`;
    const { data, pagination } = await stage.api.must(200, 'GET', path);
    rows.push(...data);
    if (!pagination.has_more) return rows;
  }
};

/** From the balances: closed months of bank one report pesos for every account. */
const accountsIn = async (source: string, currency: string): Promise<string[]> => {
  const { data } = await stage.api.must(200, 'GET', `/connections/${ids[source]}/${source}-balances?latest=true`);
  return (data as Movement[]).filter((row) => row.currency === currency).map(({ numero_cuenta }) => numero_cuenta);
};

/** By month: sums of incoming and of outgoing money. @param decimals of each sum as it is shown */
const inAndOut = (rows: readonly Movement[], decimals = 0): string[][] => {
  const sum = (period: string, direction: string): string =>
    rows
      .filter((row) => row.period === period && row.direction === direction)
      .reduce((all, { amount }) => all.plus(Big(amount ?? 0).abs()), Big(0))
      .toFixed(decimals);
  return [...new Set(rows.map(({ period }) => period))]
    .sort()
    .map((period) => [sum(period, 'received'), sum(period, 'issued')]);
};

const flowsShown = async (page: Page): Promise<string[][]> => {
  const rows = page.getByRole('table', { name: /Entradas y salidas/ }).getByRole('row');
  return (await rows.allInnerTexts()).slice(1).map(numbers);
};

/** The accounts of the drawn balances: one column each. */
const drawn = async (page: Page): Promise<string[]> => {
  const heads = page.getByRole('table', { name: /Saldo al final del día/ }).getByRole('columnheader');
  return (await heads.allInnerTexts())
    .slice(1)
    .map((head) => head.replace('Cuenta ', ''))
    .sort();
};

const numbers = (text: string): string[] =>
  text
    .split('\t')
    .slice(1)
    .map((cell) => cell.trim().replaceAll('.', '').replace(',', '.'));

stories('banks and tenders', () => {
  test('money in and out per month is the sum of the movements, and the balance is drawn by day', async () => {
    const page = await web.signedIn(`/data/${ids.bankone}/movements?view=charts`);
    await page.getByRole('heading', { name: 'Entradas y salidas por período' }).waitFor();
    await page.getByRole('heading', { name: 'Saldo al final del día' }).waitFor();
    await page.getByText('Ver los números').first().click();
    const accounts = await accountsIn('bankone', 'CLP');
    const rows = (await movements('bankone')).filter(({ numero_cuenta }) => accounts.includes(numero_cuenta));
    expect(await flowsShown(page)).toEqual(inAndOut(rows));
    // The other account is in dollars, so there is no choice of accounts.
    expect(accounts).toHaveLength(1);
    expect(await page.getByLabel('Cuenta', { exact: true }).count()).toBe(0);
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'data-movements-charts');
  });

  test('bank two: all accounts have one currency, and each amount shows its own', async () => {
    const [pesos, dollars] = await Promise.all([accountsIn('banktwo', 'CLP'), accountsIn('banktwo', 'USD')]);
    expect([pesos.length, dollars.length]).toEqual([2, 1]);
    const rows = await movements('banktwo');
    const of = (accounts: string[], decimals?: number) =>
      inAndOut(
        rows.filter(({ numero_cuenta }) => accounts.includes(numero_cuenta)),
        decimals,
      );
    const page = await web.signedIn(`/data/${ids.banktwo}/movements?view=charts`);
    await page.getByRole('heading', { name: 'Entradas y salidas por período (CLP)' }).waitFor();
    await page.getByText('Ver los números').first().click();
    await page.locator('figure', { hasText: 'Saldo al final del día' }).getByText('Ver los números').click();
    const account = page.getByLabel('Cuenta', { exact: true });
    const options = await account.locator('option').allInnerTexts();
    expect(options.sort()).toEqual([...pesos, 'Todas las cuentas'].sort());
    await account.selectOption({ label: pesos[1]! });
    expect(await flowsShown(page)).toEqual(of([pesos[1]!]));
    expect(await drawn(page)).toEqual([pesos[1]]);
    await account.selectOption({ label: 'Todas las cuentas' });
    expect(await flowsShown(page)).toEqual(of(pesos));
    expect(await drawn(page)).toEqual(pesos.toSorted());
    await page.getByLabel('Moneda').selectOption('USD');
    await page.getByRole('heading', { name: 'Entradas y salidas por período (USD)' }).waitFor();
    await page.getByRole('heading', { name: 'Saldo al final del día (USD)' }).waitFor();
    expect(await flowsShown(page)).toEqual(of(dollars, 2));
    expect(await drawn(page)).toEqual(dollars);
    await screenshots(page, 'data-banktwo-dollars');
  });

  test('balances: the latest of each account, and over time', async () => {
    const page = await web.signedIn(`/data/${ids.bankone}/balances`);
    const { data } = await stage.api.must(200, 'GET', `/connections/${ids.bankone}/bankone-balances?latest=true`);
    expect(await showsAtOnce(page.getByRole('switch', { name: 'Solo el último saldo de cada cuenta' }))).toBe(true);
    await page.getByText(`1 a ${data.length} de ${data.length}`).waitFor();
    await page.getByText('Gráficos').click();
    await page.getByRole('heading', { name: 'Saldo al final del día' }).waitFor();
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'data-balances');
  });

  test('a batch shows its payments', async () => {
    const [batch] = await stage.api.get(`/connections/${ids.bankone}/bankone-nominas`);
    const { pagination } = await stage.api.must(
      200,
      'GET',
      `/connections/${ids.bankone}/bankone-nominas/${batch.id}/pagos`,
    );
    const page = await web.signedIn(`/data/${ids.bankone}/nominas`);
    await page.getByRole('button', { name: 'Ver la fila 1', exact: true }).click();
    const payments = page.getByRole('dialog').getByRole('table', { name: 'Tabla: Pagos' });
    await payments.waitFor();
    expect(await payments.getByRole('row').count()).toBe(Math.min(50, pagination.total) + 1);
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'data-payments');
  });

  test('tenders and their files open with the session, without a key', async () => {
    const keys = () => stage.api.must(200, 'GET', '/api-keys', { as: 'session' });
    const before = await keys();
    const page = await web.signedIn(`/data/${ids.procurement}/documentos`);
    await page.getByRole('table').waitFor();
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'data-tender-documents');

    await page.getByRole('button', { name: 'Ver la fila 1', exact: true }).click();
    await page.getByRole('button', { name: /Obtener el archivo/ }).click();
    const link = page.getByRole('link', { name: /^Abrir / });
    const file = await fetch((await link.getAttribute('href'))!);
    expect(file.status).toBe(200);
    expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(0);
    await page.keyboard.press('Escape');

    await page
      .getByRole('navigation', { name: 'Datos de esta conexión' })
      .getByRole('link', { name: 'Licitaciones', exact: true })
      .click();
    const listed = page.getByRole('table', { name: /Licitaciones/ });
    await listed.waitFor();
    expect(await listed.getByRole('row').count()).toBeGreaterThan(2);
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'data-tenders');
    await page.getByRole('button', { name: 'Ver la fila 1', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByText('Listado', { exact: false })
      .or(page.getByRole('dialog').getByText('raw_ficha'))
      .first()
      .waitFor();
    expect(await keys()).toEqual(before);
  });
});
