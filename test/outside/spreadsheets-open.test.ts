/**
 * Exported files open in LibreOffice: CSV and XLSX have equal cells of equal types, sums equal the rows, and hostile text
 * stays text. Skipped where `soffice` is not installed (Debian package libreoffice-calc).
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Big from 'big.js';
import * as cheerio from 'cheerio';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { outsideEnvironment } from '#test/helpers/outside-environment.ts';
import type { Resource, Row } from '../../dashboard/src/data/resource.ts';

// The page's language decides words, delimiter and decimal mark.
vi.stubGlobal('navigator', { languages: ['es-CL'] });
const { exportColumns } = await import('../../dashboard/src/data/columns/build-columns.ts');
const { csvHead, csvRows, wordColumns } = await import('../../dashboard/src/data/export/csv-format.ts');
const { sumRows, xlsxCell, xlsxSheet } = await import('../../dashboard/src/data/export/xlsx-format.ts');
const { streamXlsx } = await import('../../dashboard/src/data/export/xlsx-stream.ts');
const { findResource } = await import('../../dashboard/src/data/find-resource.ts');
const { rowAdder } = await import('../../dashboard/src/data/totals/total-lines.ts');

const hasOffice = (): boolean => {
  try {
    execFileSync('soffice', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const HAS_OFFICE = hasOffice();

it('LibreOffice is installed', ({ skip }) => {
  if (!HAS_OFFICE) skip('no soffice: apt-get install --no-install-recommends libreoffice-calc');
});

/** Semicolons, quotes, UTF-8, from line 1, settings of Chile, and dates are recognized. */
const CSV_FILTER = 'CSV:59,34,76,1,,13322,false,true';

const folder = mkdtempSync(join(tmpdir(), 'spreadsheets-'));
afterAll(() => {
  vi.unstubAllGlobals();
  rmSync(folder, { recursive: true, force: true });
});

interface OpenedCell {
  type: string;
  value: string;
}

/** Opens a file and returns its cells as LibreOffice understands them. */
const opened = (name: string, filter: string[] = []): OpenedCell[][] => {
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  const wanted = ['--headless', '--convert-to', 'fods', '--outdir', folder, ...filter, join(folder, name)];
  execFileSync('soffice', [profile, ...wanted], { env: outsideEnvironment(), stdio: 'ignore', timeout: 120_000 });
  const $ = cheerio.load(readFileSync(join(folder, name.replace(/\.\w+$/, '.fods')), 'utf8'), { xml: true });
  const cellOf = (cell: Parameters<typeof $>[0]): OpenedCell => {
    const at = (attribute: string): string => $(cell as never).attr(attribute) ?? '';
    const text = $(cell as never)
      .children('text\\:p')
      .toArray()
      .map((line) => textOf($, line))
      .join('\n');
    const type = at('office:value-type');
    return { type, value: at('office:date-value') || (type === 'float' ? at('office:value') : text) };
  };
  return $('table\\:table')
    .first()
    .find('table\\:table-row')
    .toArray()
    .map((row) =>
      $(row)
        .children('table\\:table-cell')
        .toArray()
        .flatMap((cell) => {
          const repeated = Number($(cell).attr('table:number-columns-repeated') ?? 1);
          return Array.from({ length: Math.min(repeated, 60) }, () => cellOf(cell));
        }),
    );
};

/** The text of a paragraph; several spaces are an element that counts them. */
const textOf = ($: cheerio.CheerioAPI, node: unknown): string =>
  $(node as never)
    .contents()
    .toArray()
    .map((part) => {
      if (part.type === 'text') return part.data;
      if (part.type === 'tag' && part.name === 'text:s') return ' '.repeat(Number(part.attribs['text:c'] ?? 1));
      return part.type === 'tag' && part.name === 'text:tab' ? '\t' : textOf($, part);
    })
    .join('');

const HOSTILE = ['=1+1', '+cmd', '-2+3', '@SUM(A1)', '=HYPERLINK("http://x.example";"y")', 'Ñandú; "S.A." <&> a'];

const MONTHS = ['2026-01', '2026-04', '2026-08', '2026-09', '2026-12', '2025-10'];

const RCV: Row[] = HOSTILE.map((receiver_name, at) => ({
  id: String(at),
  period: MONTHS[at],
  direction: at % 2 === 0 ? 'issued' : 'received',
  document_type: at === 3 ? '61' : '33',
  folio: `00${at}45`,
  issuer_rut: '70000002-8',
  issuer_name: null,
  receiver_rut: '76192083-K',
  receiver_name,
  issued_at: `2026-10-0${at + 1}`,
  received_at: `2026-11-0${at + 1}T01:02:03.000Z`,
  net_amount: String(1_000_000 * at + 7),
  exempt_amount: '0',
  vat_amount: at === 5 ? null : '190',
  total_amount: String(1_000_000 * at + 197),
  currency: 'CLP',
  estado: 'registro',
}));

const MOVEMENTS: Row[] = ['CLP', 'USD', 'CLP', 'CLF'].map((currency, at) => ({
  id: String(at),
  period: '2026-10',
  numero_cuenta: currency === 'CLP' ? '007600000207' : `00000${at}`,
  currency,
  fecha_movimiento: `2026-10-1${at}`,
  descripcion: HOSTILE[at],
  amount: `-${at + 1}234.5${at}`,
  saldo_contable: '123456789012.34',
  tipo: 'C',
  direction: 'issued',
}));

const CASES: [string, Resource, Row[], string[]][] = [
  ['rcv', findResource('tax', 'rcv')!, RCV, ['net_amount', 'exempt_amount', 'vat_amount', 'total_amount']],
  ['movements', findResource('bankone', 'movements')!, MOVEMENTS, ['amount']],
];

const writeFiles = async (name: string, resource: Resource, rows: readonly Row[]): Promise<void> => {
  const columns = exportColumns(resource);
  const words = wordColumns(columns);
  writeFileSync(join(folder, `${name}-csv.csv`), csvHead(words, 'excel') + csvRows(words, 'excel', rows));
  const sums = rowAdder(resource);
  sums.add(rows);
  async function* cells() {
    for (const row of rows) yield columns.map((column) => xlsxCell(column, row));
    yield* sumRows(resource, columns, sums.result());
  }
  const bytes = await new Response(streamXlsx(xlsxSheet(resource, columns), cells())).arrayBuffer();
  writeFileSync(join(folder, `${name}-xlsx.xlsx`), new Uint8Array(bytes));
};

/** Text that a spreadsheet could calculate has an apostrophe in a CSV file. */
const withoutMark = ({ type, value }: OpenedCell): OpenedCell => ({ type, value: value.replaceAll(/(^|; )'/g, '$1') });

describe.runIf(HAS_OFFICE).each(CASES)('%s', (name, resource, rows, summed) => {
  const columns = exportColumns(resource);
  let csv: OpenedCell[][];
  let xlsx: OpenedCell[][];

  beforeAll(async () => {
    await writeFiles(name, resource, rows);
    csv = opened(`${name}-csv.csv`, [`--infilter=${CSV_FILTER}`]);
    xlsx = opened(`${name}-xlsx.xlsx`);
  }, 240_000);

  const body = (sheet: OpenedCell[][]): OpenedCell[][] =>
    sheet.slice(0, rows.length + 1).map((line) => columns.map((_, at) => line[at] ?? { type: '', value: '' }));

  it('has equal cells in both files', () => {
    expect(body(csv).map((line) => line.map(withoutMark))).toEqual(body(xlsx).map((line) => line.map(withoutMark)));
    expect(body(xlsx)[0]!.map(({ value }) => value)).toEqual(columns.map(({ head }) => head));
  });

  it.each(['csv', 'xlsx'])('has dates, numbers and texts of the rows: %s', (format) => {
    const lines = body(format === 'csv' ? csv : xlsx).slice(1);
    for (const [index, row] of rows.entries())
      for (const [at, column] of columns.entries()) {
        const cell = withoutMark(lines[index]![at]!);
        const value = column.read(row);
        if (value === null) expect(cell, column.name).toEqual({ type: '', value: '' });
        else if (column.kind === 'money')
          expect([cell.type, Big(cell.value).toFixed()], column.name).toEqual(['float', Big(value).toFixed()]);
        else if (column.kind === 'month') expect(cell, column.name).toEqual({ type: 'date', value: `${value}-01` });
        else if (column.kind === 'day') expect(cell, column.name).toEqual({ type: 'date', value });
        else if (column.kind === 'instant') expect(cell.type, column.name).toBe('date');
        else if (column.kind === 'code') expect(cell, column.name).toEqual({ type: 'string', value });
        else expect(cell.type, column.name).toBe('string');
      }
  });

  it('calculates nothing that an institution sent', () => {
    const field = name === 'rcv' ? 'counterparty_name' : 'descripcion';
    const at = columns.findIndex((column) => column.name === field);
    const texts = (sheet: OpenedCell[][]) =>
      body(sheet)
        .slice(1)
        .map((line) => withoutMark(line[at]!));
    const expected = rows.map((row) => ({ type: 'string', value: columns[at]!.read(row) }));
    expect(texts(xlsx)).toEqual(expected);
    expect(texts(csv)).toEqual(expected);
  });

  it('has sums that equal the rows, each of one currency', () => {
    const lines = xlsx.slice(rows.length + 1).filter((line) => line[0]?.value.startsWith('Suma de'));
    const groups = Map.groupBy(rows, ({ direction, currency, numero_cuenta }) =>
      [direction, currency, numero_cuenta].join(),
    );
    expect(lines).toHaveLength(groups.size);
    const expected = [...groups.values()].map((own) =>
      summed.map((field) =>
        own
          .reduce((sum, row) => {
            const value = Big(String(row[field] ?? 0));
            return row.document_type === '61' ? sum.minus(value) : sum.plus(value);
          }, Big(0))
          .toFixed(),
      ),
    );
    const shown = lines.map((line) =>
      summed.map((field) => Big(line[columns.findIndex((column) => column.name === field)]!.value).toFixed()),
    );
    expect(shown.toSorted()).toEqual(expected.toSorted());
  });
});
