/** Synchronized data is shown, drawn and exported: rows, sums and files agree with the institution's own ledger. */
import Big from 'big.js';
import { beforeAll, expect, test } from 'vitest';
import type { PeriodTally } from '#shared/sources/tax/sandbox/ledger.ts';
import type { Row, Run } from '#test/helpers/e2e-integrator.ts';
import { asLedger, pick } from '#test/helpers/e2e-register.ts';
import { useSharedStack } from '#test/helpers/e2e-stack.ts';
import { allFindings } from './accessibility.ts';
import { CHROMIUM } from './chromium.ts';
import { exported, openExport, rowsOf, startExport, withoutPicker } from './exported-file.ts';
import { findRegister, spanish, waitForTotal } from './register-page.ts';
import { screenshots } from './screenshot.ts';
import { stories, useBrowser } from './use-browser.ts';

const RUT = '70000002-8';
const CREDIT_NOTES = new Set(['60', '61', '106', '112']);

const stage = useSharedStack();
const web = useBrowser(stage);
let address: string;
let run: Run;
let ledger: Record<string, PeriodTally>;
let rows: Row[];

beforeAll(async () => {
  if (CHROMIUM === null) return;
  const { api, doors } = stage;
  const id = await api.connect({ rut: RUT, password: 'clave-de-prueba' }, 'Comercial Ñandú SpA');
  run = await api.finished(id, await api.sync(id));
  rows = await api.allDocuments(id);
  const { periods } = run.scope_outcomes[0] as unknown as { periods: string[] };
  ledger = pick(await doors.ledger(RUT), periods) as Record<string, PeriodTally>;
  address = `/data/${id}/rcv`;
});

stories('data', () => {
  test('a person finds the register, filters it, turns pages, and returns to the same page', async () => {
    const page = await web.signedIn('/data');
    await page.getByRole('heading', { name: 'Comercial Ñandú SpA' }).waitFor();
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'data');
    await page.getByRole('link', { name: 'Registro de compras y ventas' }).click();
    await waitForTotal(page, rows.length);
    await findRegister(page).waitFor();
    expect(await findRegister(page).getByRole('row').count()).toBe(51);
    await page.getByRole('table', { name: 'Totales de lo filtrado' }).waitFor();
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'data-table');

    await page.getByLabel('Sentido').selectOption({ label: 'Emitido' });
    const issued = rows.filter(({ direction }) => direction === 'issued');
    await waitForTotal(page, issued.length);
    await page.getByRole('button', { name: 'Siguiente' }).click();
    await page.getByText(`51 a 100 de ${spanish(issued.length)}`).waitFor();
    const [, first] = await findRegister(page).getByRole('row').all();
    expect(await first!.innerText()).toContain(issued[50]!.folio!);

    await page.reload();
    await page.getByText(`51 a 100 de ${spanish(issued.length)}`).waitFor();
    expect(await page.getByLabel('Sentido').inputValue()).toBe('issued');
  });

  test('a document is seen in full, with the row as the institution shows it', async () => {
    const page = await web.signedIn(address);
    await page.getByRole('button', { name: 'Ver la fila 1', exact: true }).click();
    const detail = page.getByRole('dialog');
    await detail.getByText('Fila como la muestra la institución').waitFor();
    expect(await detail.innerText()).toContain(rows[0]!.folio!);
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'data-document');
    await page.keyboard.press('Escape');
    await detail.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).searchParams.has('row')).toBe(false);
  });

  test('a refused filter is reported next to its field, and fixed there', async () => {
    web.expects('status of 400');
    const page = await web.signedIn(`${address}?from=2026-10-31&to=2026-10-01`);
    await page.getByText('no puede ser posterior a la fecha final').waitFor();
    expect(await page.getByLabel('Desde').getAttribute('aria-invalid')).toBe('true');
    expect(await allFindings(page)).toEqual([]);
    await page.getByLabel('Desde').fill('2026-10-01');
    await page.getByLabel('Hasta').fill('2026-10-31');
    const october = rows.filter(({ issued_at }) => issued_at?.startsWith('2026-10'));
    await waitForTotal(page, october.length);
  });

  test('the charts say what the register says, month by month, credit notes taken away', async () => {
    const page = await web.signedIn(`${address}?view=charts`);
    await page.getByRole('heading', { name: 'Montos por período' }).waitFor();
    await page.locator('.recharts-bar-rectangle').first().waitFor();
    await page.getByText('Ver los números').first().click();
    const table = page.getByRole('table', { name: 'Montos por período' });
    const shown = await table.getByRole('row').allInnerTexts();
    const sum = (period: string, direction: string): string =>
      rows
        .filter((row) => row.period === period && row.direction === direction)
        .reduce((all, { document_type, total_amount }) => {
          const amount = Big(total_amount ?? 0);
          return CREDIT_NOTES.has(document_type!) ? all.minus(amount) : all.plus(amount);
        }, Big(0))
        .toFixed();
    const periods = Object.keys(ledger).sort();
    expect(
      shown.slice(1).map((line) =>
        line
          .split('\t')
          .slice(1)
          .map((cell) => cell.trim().replaceAll('.', '')),
      ),
    ).toEqual(periods.map((period) => [sum(period, 'received'), sum(period, 'issued')]));
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'data-charts');
  });

  test('the exported file holds the total and the sums of the institution itself', async () => {
    const page = await web.signedIn(address);
    await waitForTotal(page, rows.length);
    await withoutPicker(page);
    await openExport(page);
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'data-export');
    const taken = rowsOf(await exported(page));
    expect(taken).toHaveLength(rows.length);
    expect(asLedger(taken, Object.keys(ledger))).toEqual(ledger);
    await page.getByText(`Listo: ${spanish(rows.length)} filas escritas`, { exact: false }).waitFor();
  });

  test('what is filtered is what is exported, in the form that a spreadsheet in Spanish opens', async () => {
    const page = await web.signedIn(`${address}?direction=received`);
    const received = rows.filter(({ direction }) => direction === 'received');
    await waitForTotal(page, received.length);
    await withoutPicker(page);
    await openExport(page, /CSV para Excel/);
    const text = await exported(page);
    expect(
      text.startsWith('\uFEFFFecha de emisión;Tipo de documento;Código del tipo de documento;Folio;RUT de la'),
    ).toBe(true);
    expect(text.split('\r\n')).toHaveLength(received.length + 2);
    expect(text).not.toMatch(/;(?:issued|received|registro|no_incluir);/);
    expect(text).toContain(';Recibido;');
  });

  test('the browser writes straight to the chosen file where it can', async () => {
    const page = await web.signedIn(address);
    await waitForTotal(page, rows.length);
    // Only the picker is mocked: file and stream are the browser's own.
    await page.evaluate(`window.showSaveFilePicker = async () =>
      (await navigator.storage.getDirectory()).getFileHandle('export.csv', { create: true });`);
    await openExport(page);
    await startExport(page);
    await page.getByText('Listo:', { exact: false }).waitFor();
    const text = await page.evaluate<string>(`navigator.storage.getDirectory()
      .then((folder) => folder.getFileHandle('export.csv'))
      .then((handle) => handle.getFile())
      .then((file) => file.text())`);
    expect(asLedger(rowsOf(text), Object.keys(ledger))).toEqual(ledger);
  });

  test('a lost answer stops an export, which resumes where it stopped', async () => {
    web.expects('net::ERR_FAILED');
    const page = await web.signedIn(address);
    await waitForTotal(page, rows.length);
    await withoutPicker(page);
    let lost = 0;
    await page.route(/offset=200$/, (route) => {
      lost += 1;
      return lost === 1 ? route.abort() : route.continue();
    });
    await openExport(page);
    const text = await exported(page, async () => {
      await page.getByText('Sin conexión con el servicio').waitFor();
      expect(await allFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Continuar donde quedó' }).click();
    });
    expect(lost).toBe(2);
    expect(asLedger(rowsOf(text), Object.keys(ledger))).toEqual(ledger);
  });

  test('a cancelled export leaves no file', async () => {
    const page = await web.signedIn(address);
    await waitForTotal(page, rows.length);
    await withoutPicker(page);
    let downloads = 0;
    page.on('download', () => {
      downloads += 1;
    });
    // The request never ends, so the export can only be cancelled.
    await page.route(/limit=200&offset=200$/, () => undefined);
    await openExport(page);
    await startExport(page);
    await page.getByText(`200 de ${spanish(rows.length)} filas`).waitFor();
    await page.getByRole('button', { name: 'Cancelar la exportación' }).click();
    await page.getByText('Exportación cancelada').waitFor();
    expect(downloads).toBe(0);
  });

  test('a list that changes under an export is refused, not written incomplete', async () => {
    const page = await web.signedIn(address);
    await waitForTotal(page, rows.length);
    await withoutPicker(page);
    await page.route(/offset=200$/, async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { pagination: { total: number } };
      body.pagination.total += 1;
      await route.fulfill({ response, json: body });
    });
    await openExport(page);
    await startExport(page);
    await page.getByText('Los datos cambiaron mientras se leían').waitFor();
    await page.getByRole('button', { name: 'Empezar de nuevo' }).waitFor();
  });

  test('is also in English, with columns and choices', async () => {
    const page = await web.signedIn(`${address}?direction=issued`, { locale: 'en-GB' });
    await page.getByRole('heading', { name: /Purchase and sales register/ }).waitFor();
    await page.getByRole('columnheader', { name: 'Total', exact: true }).last().waitFor();
    expect(await page.getByRole('cell', { name: 'Issued' }).count()).toBeGreaterThan(0);
  });
});
