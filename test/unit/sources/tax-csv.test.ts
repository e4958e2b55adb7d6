/** Lines of files with quotes, with separators in names, and lines of no document (tax.md §5). */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { JsonObject, Notice, ParsedRow, RawAnswer } from '#shared/sources/source.ts';
import { source } from '#shared/sources/tax/source.ts';
import { answerOf } from './ask.ts';

const COLUMNS =
  'Nro;RUT Proveedor;Razon Social;Folio;Fecha Docto;Fecha Recepcion;Monto Exento;Monto Neto;Monto IVA Recuperable;Monto Total;Codigo Otro Impuesto;Valor Otro Impuesto';
const lineOf = (n: number | string, name: string, folio: number | string = n, day = '05/10/2026'): string =>
  `${n};70000001-K;${name};${folio};${day};06/10/2026 10:12:44;0;84034;15966;100000;28;4200;`;
const TAX = ';70000001-K;PROVEEDOR;1;;;;;;;35;1310;';
const BLANK = ';;;;;;;;;;;;';

const fileOf = (lines: readonly string[], ending = '\r\n'): RawAnswer =>
  answerOf(
    'purchases/REGISTRO/33/file',
    {
      method: 'obtenerArchivoBLOB',
      ptributario: '202610',
      operacion: 'COMPRA',
      estadoContab: 'REGISTRO',
      codTipoDoc: '33',
    },
    gzipSync([...lines, ''].join(ending)),
  );

const read = (lines: readonly string[], ending?: string): { rows: ParsedRow[]; unreadable: Notice[] } => {
  const rows: ParsedRow[] = [];
  const unreadable: Notice[] = [];
  const request = { scope: 'rcv', period: '2026-10', credentials: { rut: '70000002-8' } };
  for (const item of source.parse(request, [fileOf(lines, ending)])) {
    if ('row' in item) rows.push(item.row);
    else if ('unreadable' in item) unreadable.push(item.unreadable);
  }
  return { rows, unreadable };
};

const namesOf = (rows: readonly ParsedRow[]): unknown[] => rows.map(({ row }) => (row as JsonObject).issuer_name);
const taxesOf = ({ raw }: ParsedRow): unknown[] => ((raw.otros_impuestos ?? []) as JsonObject[]).map(Object.values);

const quoted = (line: string): string =>
  line
    .replace(/;$/, '')
    .split(';')
    .map((cell) => `"${cell}"`)
    .join(';');

describe('quotes', () => {
  test('around every cell', () => {
    const line = quoted(lineOf(1, 'PROVEEDOR SPA')).replace('SPA', 'A;B ""C"" SPA');
    expect(namesOf(read([quoted(COLUMNS), line]).rows)).toEqual(['PROVEEDOR A;B "C" SPA']);
  });

  test.each([
    ['where a name needs them', '"FERRETERIA A;B LTDA"', 'FERRETERIA A;B LTDA'],
    ['with quotes in them', '"COMERCIAL ""EL CLAVO"" SPA"', 'COMERCIAL "EL CLAVO" SPA'],
    ['around part of a name', '"EL CLAVO" LTDA', '"EL CLAVO" LTDA'],
    ['inside a name', 'COMERCIAL "EL CLAVO" SPA', 'COMERCIAL "EL CLAVO" SPA'],
    ['before a name only', '"EL CLAVO', '"EL CLAVO'],
    ['of one inch', 'TUBOS 3" SPA', 'TUBOS 3" SPA'],
  ])('%s', (_what, written, name) => {
    const { rows, unreadable } = read([COLUMNS, lineOf(1, 'UNO'), lineOf(2, written), lineOf(3, 'TRES')]);
    expect([namesOf(rows), unreadable]).toEqual([['UNO', name, 'TRES'], []]);
  });

  test('around all cells of some lines', () => {
    const { rows, unreadable } = read([COLUMNS, lineOf(1, 'UNO'), quoted(lineOf(2, 'DOS')), quoted(lineOf(3, 'TRES'))]);
    expect([namesOf(rows), unreadable]).toEqual([['UNO', 'DOS', 'TRES'], []]);
  });

  test('that are never closed cost no other line', () => {
    const odd = lineOf(2, '"A;B').replace(';2;', ';"2;');
    const { rows, unreadable } = read([COLUMNS, lineOf(1, 'UNO'), odd, lineOf(3, 'TRES')]);
    expect([namesOf(rows), unreadable.length]).toEqual([['UNO', 'TRES'], 1]);
  });
});

describe('a separator in a name that is not quoted', () => {
  test('belongs to the name: its line and all others are read', () => {
    const names = ['UNO', 'FERRETERIA A;B LTDA', 'TRES', 'A;B;C', ';', 'SEIS'];
    const lines = names.map((name, at) => lineOf(at + 1, name));
    const { rows, unreadable } = read([COLUMNS, ...lines]);
    expect([namesOf(rows), unreadable]).toEqual([names, []]);
    expect(rows.map(({ row }) => (row as JsonObject).total_amount)).toEqual(names.map(() => '100000'));
    expect(rows[1]?.raw['Razon Social']).toBe('FERRETERIA A;B LTDA');
  });

  test('is also found in a continuation line, and in lines without a `;` at the end', () => {
    const lines = [lineOf(1, 'A;B'), TAX.replace('PROVEEDOR', 'A;B')].map((line) => line.replace(/;$/, ''));
    const { rows, unreadable } = read([COLUMNS, ...lines]);
    expect([namesOf(rows), rows.flatMap(taxesOf).length, unreadable]).toEqual([['A;B'], 1, []]);
  });

  test.each([
    ['no folio follows', lineOf(2, 'A;B', 'X')],
    ['no date follows', lineOf(2, 'A;B', 2, '2026-10-05')],
    ['another cell is filled', `${lineOf(2, 'A;B')}5;`],
  ])('costs its line if %s', (_what, odd) => {
    const { rows, unreadable } = read([COLUMNS, lineOf(1, 'UNO'), odd, lineOf(3, 'TRES')]);
    expect([namesOf(rows), unreadable.length]).toEqual([['UNO', 'TRES'], 1]);
  });

  test('a date of another form does not make a folio part of the name', () => {
    const { rows, unreadable } = read([COLUMNS, lineOf(1, 'UNO', 1, '31-10-2026'), lineOf(2, 'DOS')]);
    expect([namesOf(rows), unreadable.length]).toEqual([['DOS'], 1]);
  });
});

describe('lines of no document', () => {
  test.each([
    ['only separators', BLANK],
    ['only a few separators', ';;;'],
    ['blanks between separators', ' ; ; ; ; ;'],
    ['a word and totals', ';;;;;;;;;Total;300000;;'],
    ['a word at the start', 'Total;;;;;;0;168068;31932;200000;;;'],
  ])('%s adds nothing', (_what, line) => {
    const { rows, unreadable } = read([COLUMNS, lineOf(1, 'PROVEEDOR'), TAX, line, lineOf(2, 'DOS'), line, '']);
    expect([namesOf(rows), unreadable]).toEqual([['PROVEEDOR', 'DOS'], []]);
    expect(rows.map((row) => taxesOf(row).length)).toEqual([1, 0]);
    expect(rows[1]?.raw).not.toHaveProperty('otros_impuestos');
  });

  test('a document without RUT and folio, or a line that is cut off, is unreadable', () => {
    for (const odd of [lineOf(2, 'DOS').replace('70000001-K;DOS;2', ';DOS;'), '2;7000', ';70000001-K'])
      expect(read([COLUMNS, lineOf(1, 'UNO'), odd]).unreadable).toHaveLength(1);
  });
});

test.each(['\n', '\r', '\r\n'])('lines may end with %j', (ending) => {
  expect(namesOf(read([COLUMNS, lineOf(1, 'UNO'), lineOf(2, 'DOS')], ending).rows)).toEqual(['UNO', 'DOS']);
});

test('a file of 20,000 lines with quotes is read in time', () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => lineOf(at + 1, at % 2 === 0 ? '"A;B"' : '""""""""""'));
  const startMs = performance.now();
  expect(read([COLUMNS, ...lines]).rows).toHaveLength(20_000);
  expect(performance.now() - startMs).toBeLessThan(30_000);
});
