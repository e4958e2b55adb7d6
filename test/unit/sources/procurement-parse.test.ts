/** Fixtures: stored answers → rows and notices; and answers that the parsers must refuse. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { source } from '#shared/sources/procurement/source.ts';
import type { JsonObject, Notice, Parsed, RawAnswer } from '#shared/sources/source.ts';
import { rutCheckDigit } from '#shared/values/rut.ts';
import { answerOf } from './ask.ts';
import { SCOPES, type Scope } from './procurement-stage.ts';

const FOLDER = new URL('../../../shared/sources/procurement/fixtures/', import.meta.url);

interface Case {
  scope: Scope;
  tender: string;
  answers: { key: string; file: string; request: JsonObject }[];
  rows: JsonObject[];
  notices: Notice[];
  absent: boolean;
}

const CASES = readdirSync(FOLDER).filter((name) => name.endsWith('.case.json'));
const load = (name: string): Case => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
const bodyOf = (file: string): Buffer => readFileSync(new URL(file, FOLDER));
const answersOf = ({ answers }: Case): RawAnswer[] =>
  answers.map(({ key, request, file }) => answerOf(key, request, bodyOf(file)));

const parse = (scope: Scope, tender: string, answers: RawAnswer[]): Parsed[] => [
  ...source.parse({ scope, period: null, tender, credentials: {} }, answers),
];

describe('fixtures', () => {
  test('there are all variants of the wire', () => expect(CASES.length).toBeGreaterThanOrEqual(13));

  test.each(CASES)('%s', (name) => {
    const fixture = load(name);
    const items = parse(fixture.scope, fixture.tender, answersOf(fixture));
    const rows = items.flatMap((item) => ('row' in item ? [item.row] : []));
    expect(rows.map(({ row }) => row)).toEqual(fixture.rows);
    const told = items.flatMap((item) => ('notice' in item ? [item.notice] : 'absent' in item ? [item.absent] : []));
    expect(told).toEqual(fixture.notices);
    expect(items.some((item) => 'absent' in item)).toBe(fixture.absent);
    for (const { row, raw, answerKey } of rows) {
      expect(SCOPES[fixture.scope].parsed.strict().safeParse(row).error).toBeUndefined();
      expect(Object.keys(raw).length).toBeGreaterThan(0);
      expect(fixture.answers.map(({ key }) => key)).toContain(answerKey);
    }
  });

  test('the record of a tender is the portal’s own object', () => {
    const [item] = parse('licitaciones', 'X', [answerOf('detail', {}, bodyOf('detail-open.body'))]);
    const { Listado } = JSON.parse(bodyOf('detail-open.body').toString('utf8'));
    expect(item).toMatchObject({ row: { raw: Listado[0] } });
  });
});

const CODIGO = '990101-12-LE25';

/** After one text is replaced, the parser must refuse the answer, or report its line by position and never by value. */
const refuses = (scope: Scope, answers: RawAnswer[], place: string): void => {
  const said = (): string => {
    try {
      const told = parse(scope, CODIGO, answers).flatMap((item) => ('unreadable' in item ? [item.unreadable] : []));
      expect(told.map(({ code }) => code)).toEqual([`procurement.${scope}.lines_unreadable`]);
      return told[0]!.message;
    } catch (error) {
      expect(error).toMatchObject({ code: 'source.unexpected_response' });
      return (error as Error).message;
    }
  };
  expect(said()).toContain(place);
};

const edited = (file: string, from: string, to: string): string => {
  const text = bodyOf(file).toString('utf8');
  expect(text).toContain(from);
  return text.replace(from, to);
};

describe('a tender is refused', () => {
  test.each([
    ['"FechaCierre":"2025-03-20T15:00:00",', '', 'FechaCierre is missing'],
    ['"FechaCierre":"2025-03-20T15:00:00"', '"FechaCierre":"2025-02-30T15:00:00"', 'Fechas.FechaCierre'],
    ['"FechaCierre":"2025-03-20T15:00:00"', '"FechaCierre":"2025-03-20T15:00:00Z"', 'Fechas.FechaCierre'],
    ['"FechaCierre":"2025-03-20T15:00:00"', '"FechaCierre":"2025-03-20T25:00:00"', 'Fechas.FechaCierre'],
    ['"FechaCierre":"2025-03-20T15:00:00"', '"FechaCierre":20250320', 'Fechas.FechaCierre'],
    ['48000000.0', '"48000000"', 'MontoEstimado'],
    ['48000000.0', '1e400', 'MontoEstimado'],
    ['"MontoEstimado":48000000.0,', '', 'MontoEstimado'],
    ['"61.999.001-3"', '"SECRETO"', 'Comprador.RutUnidad'],
    ['"Comprador":{', '"Vendedor":{', 'Comprador'],
  ])('%s → %s', (from, to, place) => {
    const body = edited('detail-open.body', from, to);
    refuses('licitaciones', [answerOf('detail', {}, body)], place);
  });

  test('an amount keeps every digit', () => {
    const body = edited('detail-open.body', '48000000.0', '12345678901234567.89');
    expect(parse('licitaciones', CODIGO, [answerOf('detail', {}, body)])[0]).toMatchObject({
      row: { row: { monto_estimado: '12345678901234567.89' } },
    });
  });

  test('on the ficha: prose instead of a date is valid only with an idoneidad closing', () => {
    const page = bodyOf('ficha-private-latin1.body').toString('latin1').replace('lblFicha3CierreIdoneidad', 'lblX');
    const answers = [answerOf('detail', {}, bodyOf('empty-list.body')), answerOf('ficha', {}, page)];
    refuses('licitaciones', answers, 'lblFicha3Cierre');
  });
});

describe('questions are refused', () => {
  test.each([
    ['"Numero":7001001,', '', 'row 1: Numero'],
    ['"Numero":7001002', '"Numero":"x"', 'row 2: Numero'],
    ['"Numero":7001002', '"Numero":0', 'row 2: Numero'],
    ['"idP":2', '"idP":"x"', 'row 2: idP'],
    ['06-03-2025 11:08:52', '2025-03-06 11:08:52', 'row 1: FechaHora'],
    ['"RespuestaPublicada":null', '"Respuesta":null', 'row 2: RespuestaPublicada'],
    ['"Descripcion":"No, el', '"Texto":"No, el', 'row 1, answer: Descripcion'],
  ])('%s → %s', (from, to, place) => {
    refuses('preguntas', [answerOf('preguntas', {}, edited('preguntas.body', from, to))], place);
  });
});

describe('listings are refused', () => {
  const anexo = (body: string) => [
    answerOf('ficha', {}, bodyOf('ficha-attachments.body')),
    answerOf('anexo/1', { listing: 'anexo', page: 1 }, body),
  ];

  test.each([
    ['DWNL_grdId_ctl03_File', 'x', 'row 2: file name'],
    ['DWNL_grdId_ctl03_FileLength', 'x', 'row 2: size'],
    ['3.675 KB', 'grande', 'row 1: size'],
    ['3.675 KB', '3,675 KB', 'row 1: size'],
    ['3.675 KB', '3.6751 KB', 'row 1: size'],
    ['18-05-2026 9:05:00', '31-02-2026', 'row 1: date'],
  ])('%s → %s', (from, to, place) => refuses('documentos', anexo(edited('anexo-1.body', from, to)), place));

  test('names without their buttons', () => {
    const body = bodyOf('anexo-2.body').toString('utf8').replace('$search', '$other');
    refuses('documentos', anexo(body), 'download button');
  });

  test('a second listing whose cells moved', () => {
    const body = edited('antecedente.body', '<td>Anexos Econ&oacute;micos</td>', '');
    const answer = answerOf('antecedente/0/1', { listing: 'antecedente', item: 0, page: 1 }, body);
    refuses('documentos', [answerOf('ficha', {}, bodyOf('ficha-attachments.body')), answer], 'row 1: type');
  });
});

describe('offers are refused', () => {
  const cuadro = (body: string) => [
    answerOf('ficha', {}, bodyOf('ficha-attachments.body')),
    answerOf('cuadro/1', { listing: 'cuadro', page: 1 }, body),
  ];
  const wrong = `76.192.083-${rutCheckDigit('76192083') === '1' ? '2' : '1'}`;

  test.each([
    ['76.192.083-9', wrong, 'row 1: RUT'],
    ['76.192.083-9', '', 'row 1: RUT'],
    ['grdSupplies_ctl02__GvLblProvider', 'x', 'row 1: supplier'],
    ['UF 42.000.000', '42 millones', 'row 1: total'],
    ['UF 42.000.000', '$ 42.000.000', 'row 1: total is in another currency'],
    ['UF 42.000.000', 'UF 1,250', 'row 1: total may be thousands or decimals'],
    ['UF 42.000.000', 'UF 42.00.000', 'row 1: total'],
    ['grdSupplies_ctl03_TotalOferta', 'x', 'row 2: total'],
    ['value="2"', 'value="3"', 'number of rows'],
    ['value="2"', 'value="two"', 'WucPagerGrid_hidCountRows'],
  ])('%s → %s', (from, to, place) => refuses('ofertas', cuadro(edited('cuadro.body', from, to)), place));

  test('a negative total keeps its sign', () => {
    const [first] = parse('ofertas', CODIGO, cuadro(edited('cuadro.body', 'UF 42.000.000', 'UF -42.000.000')));
    expect(first).toMatchObject({ row: { row: { total_oferta: '-42000000' } } });
  });
});
