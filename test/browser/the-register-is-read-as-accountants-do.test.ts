/** The register is read as accountants do: totals, search, order, on a phone, and as a spreadsheet. */
import Big from 'big.js';
import { readXlsx } from 'hucre/xlsx';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { Row } from '#test/helpers/e2e-integrator.ts';
import { useSharedStack } from '#test/helpers/e2e-stack.ts';
import { allFindings } from './accessibility.ts';
import { CHROMIUM } from './chromium.ts';
import { exportedBytes, openExport, startExport, withoutPicker } from './exported-file.ts';
import { overflow } from './page-measures.ts';
import { findRegister, spanish, waitForTotal } from './register-page.ts';
import { screenshots } from './screenshot.ts';
import { PHONE, stories, useBrowser } from './use-browser.ts';

const CREDIT_NOTES = new Set(['60', '61', '106', '112']);

/** Rows of the largest spreadsheet that is written here; tried with 100,000. */
const MANY = Number(process.env.EXPORT_ROWS ?? 5_000);
const MANY_MS = 600_000;

const stage = useSharedStack();
const web = useBrowser(stage);
let address: string;
let rows: Row[];

beforeAll(async () => {
  if (CHROMIUM === null) return;
  const { api } = stage;
  const id = await api.connect({ rut: '70000002-8', password: 'clave-de-prueba' }, 'Comercial Ñandú SpA');
  await api.finished(id, await api.sync(id));
  rows = await api.allDocuments(id);
  address = `/data/${id}/rcv`;
});

const dotted = (rut: string): string => rut.replaceAll(/\B(?=(\d{3})+-)/g, '.');

/** Sums of the rows with credit notes subtracted, as the totals above the table show them. */
const sumsOf = (own: readonly Row[]): string[] =>
  (['net_amount', 'exempt_amount', 'vat_amount', 'total_amount'] as const).map((name) =>
    own
      .reduce((all, row) => {
        const amount = Big((row as unknown as Record<string, string | null>)[name] ?? 0);
        return CREDIT_NOTES.has(row.document_type!) ? all.minus(amount) : all.plus(amount);
      }, Big(0))
      .toFixed(),
  );

/** Lines of the totals: the group in words, the number of rows, the sums. */
const totalsShown = async (page: Page): Promise<string[][]> => {
  const lines = page.getByRole('table', { name: 'Totales de lo filtrado' }).getByRole('row');
  await lines.nth(1).waitFor();
  return (await lines.allInnerTexts())
    .slice(1)
    .map((line) => line.split('\t').map((cell, at) => (at === 0 ? cell.trim() : cell.trim().replaceAll('.', ''))));
};

stories('the register', () => {
  test('totals are those of the filtered rows, and documents are found by type, RUT, name and folio', async () => {
    const page = await web.signedIn(address);
    const groups = Map.groupBy(rows, ({ direction, estado }) => `${direction} ${estado}`);
    const expected = [...groups.values()].map((own) => [String(own.length), ...sumsOf(own)]);
    const shown = (await totalsShown(page)).map(([, ...cells]) => cells);
    expect(shown.toSorted()).toEqual(expected.toSorted());

    const invoices = rows.filter(({ document_type }) => document_type === '33');
    await page.getByLabel('Tipo de documento').selectOption({ label: 'Factura electrónica' });
    await waitForTotal(page, invoices.length);
    await page.getByRole('button', { name: 'Quitar filtros' }).click();
    await waitForTotal(page, rows.length);
    const sale = rows.find(({ direction, receiver_name }) => direction === 'issued' && receiver_name !== null)!;
    const rut = dotted(sale.receiver_rut!);
    for (const [text, shown] of [
      [sale.folio!, sale.folio!],
      [rut, rut],
      [sale.receiver_name!.toLowerCase(), sale.receiver_name!],
    ] as const) {
      await page.getByLabel('Folio, RUT o nombre').fill(text);
      await page.keyboard.press('Enter');
      const lines = findRegister(page)
        .getByRole('row')
        .filter({ has: page.getByRole('cell') });
      // There is a row, and every row has what was searched.
      await expect
        .poll(async () => {
          const texts = await lines.allInnerTexts();
          return texts.length > 0 && texts.every((line) => line.includes(shown));
        })
        .toBe(true);
    }
  });

  test('rows are sorted by a header, and it says why not where there are too many', async () => {
    const page = await web.signedIn(`${address}?direction=issued`);
    const issued = rows.filter(({ direction }) => direction === 'issued');
    await waitForTotal(page, issued.length);
    const heads = findRegister(page).getByRole('columnheader', { name: 'Total', exact: true });
    await heads.getByRole('button').click();
    await expect.poll(() => heads.getAttribute('aria-sort')).toBe('ascending');
    await heads.getByRole('button').click();
    const largest = issued.map(({ total_amount }) => Big(total_amount ?? 0)).sort((a, b) => b.cmp(a))[0]!;
    await expect
      .poll(async () => (await findRegister(page).getByRole('row').nth(1).innerText()).replaceAll('.', ''))
      .toContain(largest.toFixed());
    expect(await heads.getAttribute('aria-sort')).toBe('descending');
    expect(await allFindings(page)).toEqual([]);
    await screenshots(page, 'data-sorted');

    await page.route(/tax-rcv-documents\?/, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { pagination: { total: number } };
      body.pagination.total = 2_001;
      await route.fulfill({ response: answer, json: body });
    });
    await page.reload();
    await page.getByText('Se puede ordenar por columnas con hasta 2.000 filas').waitFor();
    expect(await heads.getByRole('button').count()).toBe(0);
  });

  test('a phone shows who and how much without scrolling, in both themes and languages', async () => {
    for (const look of [
      { viewport: PHONE, colorScheme: 'dark' },
      { viewport: PHONE, locale: 'en-GB' },
    ] as const) {
      const page = await web.signedIn(`${address}?direction=issued`, look);
      const table = page.getByRole('table', { name: /^(?:Tabla: Registro|Table: Purchase)/ });
      await table.waitFor();
      const cells = table.getByRole('row').nth(1).getByRole('cell');
      const box = await cells.nth(3).boundingBox();
      expect(box!.x + box!.width).toBeLessThanOrEqual(PHONE.width);
      expect(await overflow(page)).toBe(0);
      expect(await allFindings(page)).toEqual([]);
    }
  });

  test('a spreadsheet has words, numbers and dates, and sums that equal the rows', async () => {
    const page = await web.signedIn(`${address}?direction=issued`);
    const issued = rows.filter(({ direction }) => direction === 'issued');
    await waitForTotal(page, issued.length);
    await withoutPicker(page);
    await openExport(page, /Excel \(XLSX\)/);
    const { sheets } = await readXlsx(await exportedBytes(page));
    const [head, first, ...rest] = sheets[0]!.rows;
    expect(head!.slice(0, 4)).toEqual([
      'Fecha de emisión',
      'Tipo de documento',
      'Código del tipo de documento',
      'Folio',
    ]);
    expect(first![0]).toBeInstanceOf(Date);
    expect(first!.slice(3, 5)).toEqual([issued[0]!.folio, dotted(issued[0]!.receiver_rut!)]);
    const sums = rest.at(-1)!;
    expect(sums[0]).toBe(`Suma de ${spanish(issued.length)} filas · Emitido · Registrado · CLP`);
    expect(sums.slice(6, 10).map(String)).toEqual(sumsOf(issued));
    await page.getByText(`Listo: ${spanish(issued.length)} filas escritas`, { exact: false }).waitFor();
  });

  test(
    'a spreadsheet of many rows shows its progress, and has each row once',
    async () => {
      const page = await web.signedIn(address);
      page.setDefaultTimeout(MANY_MS);
      const many = Array.from(
        { length: MANY },
        (_, n): Row => ({ ...(rows[n % rows.length] as Row), folio: String(n + 1) }),
      );
      await page.route(/tax-rcv-documents\?/, (route) => {
        const { searchParams } = new URL(route.request().url());
        const [limit, offset] = [Number(searchParams.get('limit')), Number(searchParams.get('offset'))];
        const data = many.slice(offset, offset + limit);
        const has_more = offset + data.length < MANY;
        return route.fulfill({ json: { data, pagination: { total: MANY, limit, offset, has_more } } });
      });
      await page.reload();
      await waitForTotal(page, MANY);
      await withoutPicker(page);
      await openExport(page, /Excel \(XLSX\)/);
      const bytes = await exportedBytes(page, async () => {
        await page.getByText(new RegExp(`^[1-9][\\d.]* de ${spanish(MANY)} filas`)).waitFor();
      });
      const [, ...written] = (await readXlsx(bytes)).sheets[0]!.rows;
      expect(written.slice(0, MANY).map((row) => row[3])).toEqual(many.map(({ folio }) => folio));
      const groups = Map.groupBy(many, ({ direction, estado }) => `${direction} ${estado}`);
      const sums = written.slice(MANY).filter((row) => String(row[0]).startsWith('Suma de '));
      expect(sums.map((row) => row.slice(6, 10).map(String)).sort()).toEqual([...groups.values()].map(sumsOf).sort());
    },
    MANY_MS,
  );

  test('a cancelled spreadsheet leaves no file', async () => {
    const page = await web.signedIn(address);
    await waitForTotal(page, rows.length);
    await withoutPicker(page);
    let downloads = 0;
    page.on('download', () => {
      downloads += 1;
    });
    await page.route(/limit=200&offset=200$/, () => undefined);
    await openExport(page, /Excel \(XLSX\)/);
    await startExport(page);
    await page.getByText(`200 de ${spanish(rows.length)} filas`).waitFor();
    await page.getByRole('button', { name: 'Cancelar la exportación' }).click();
    await page.getByText('Exportación cancelada').waitFor();
    expect(downloads).toBe(0);
  });
});
