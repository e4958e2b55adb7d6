/** Documents as users attach them: names without endings, empty types, sizes in other units. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { validateGiven } from '#shared/sources/procurement/file-proof.ts';
import { source } from '#shared/sources/procurement/source.ts';
import type { Parsed, RawAnswer } from '#shared/sources/source.ts';
import { answerOf } from './ask.ts';

const FOLDER = new URL('../../../shared/sources/procurement/fixtures/', import.meta.url);
const CODIGO = '990101-12-LE25';

const bodyOf = (file: string): Buffer => readFileSync(new URL(file, FOLDER));
const parse = (answers: RawAnswer[]): Parsed[] => [
  ...source.parse({ scope: 'documentos', period: null, tender: CODIGO, credentials: {} }, answers),
];

describe('documents that users attach', () => {
  const LACKING = 'procurement.documentos.columns_missing';

  const answers = (body: string): RawAnswer[] => [
    answerOf('ficha', {}, bodyOf('ficha-attachments.body')),
    answerOf('anexo/1', { listing: 'anexo', page: 1 }, body),
  ];
  const read = (from: RegExp, to: string) => {
    const text = bodyOf('anexo-1.body').toString('utf8');
    expect(text).toMatch(from);
    const items = parse(answers(text.replace(from, to)));
    const rows = items
      .flatMap((item) => ('row' in item ? [item.row.row] : []))
      .filter(({ origen }) => origen === 'anexo');
    return { row: rows[0]!, told: items.flatMap((item) => ('row' in item || 'whereKept' in item ? [] : [item])) };
  };
  const whole = parse(answers(bodyOf('anexo-1.body').toString('utf8')));
  const told = whole.flatMap((item) => ('row' in item || 'whereKept' in item ? [] : [item]));

  test.each(['Propuesta técnica', 'Bases.pdf (firmado)', 'Decreto N° 12'])('the name "%s" is served', (name) => {
    const document = read(/(ctl02_File"[^>]*>)[^<]*/, `$1${name}`);
    expect(document).toMatchObject({ row: { nombre: name }, told });
  });

  test('an empty type is served, and reported if no document of the page has one', () => {
    expect(read(/(ctl02_Type"[^>]*>)[^<]*/, '$1')).toMatchObject({ row: { tipo: null }, told });
    const all = read(/(_Type"[^>]*>)[^<]*/g, '$1');
    expect(all.row.tipo).toBeNull();
    expect(all.told).toContainEqual({ notice: expect.objectContaining({ code: LACKING }), unlessKnown: true });
  });

  test('names without endings are reported only if no name of the page has one', () => {
    const all = read(/(_File"[^>]*>)[^<]*/g, '$1Propuesta');
    expect(all.row.nombre).toBe('Propuesta');
    expect(all.told).toContainEqual({ notice: expect.objectContaining({ code: LACKING }), unlessKnown: true });
  });

  test.each([
    ['1.5 MB', '1572864'],
    ['1,5 MB', '1572864'],
    ['0.25 KB', '256'],
    ['350 B', '350'],
    ['350 Bytes', '350'],
    ['12,4 MB', '13002342'],
    ['3.675 KB', '3763200'],
  ])('the size "%s" is %s bytes', (shown, bytes) => {
    expect(read(/(ctl02_FileLength"[^>]*>)[^<]*/, `$1${shown}`).row.tamano).toBe(bytes);
  });
});

describe('the file of a document without an ending', () => {
  const pdf = Buffer.from(`%PDF-1.4\n${'x'.repeat(400)}\n%%EOF`);
  const given = (body: Buffer) => ({ body, contentType: 'application/octet-stream', disposition: undefined });
  const locator = (size: string) => ({ nombre: 'Propuesta técnica', size, page: 1 });

  test('is stored if the size fits', () => {
    expect(validateGiven(given(pdf), locator(`${pdf.length} B`), [])).toEqual({ renamed: undefined });
    expect(validateGiven(given(pdf), locator('1.5 MB'), [])).toHaveProperty('fault');
  });

  test('is no page', () => {
    const page = Buffer.from('<html><body>Sesion expirada</body></html>');
    expect(validateGiven(given(page), locator(`${page.length} B`), [])).toHaveProperty('fault');
  });
});
