/** Fixtures: stored answer → rows, notices and original rows; and answers that a parser must refuse. */
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { JsonObject, Notice, ParsedRow, RawAnswer } from '#shared/sources/source.ts';
import type { TaxScope } from '#shared/sources/tax/sandbox/credentials.ts';
import { source } from '#shared/sources/tax/source.ts';
import { tieOutNotices } from '../../helpers/tie-out.ts';
import { answerOf } from './ask.ts';
import { SCOPES } from './tax-tally.ts';

const FOLDER = new URL('../../../shared/sources/tax/fixtures/', import.meta.url);

interface Case {
  scope: TaxScope;
  period: string;
  credentials: JsonObject;
  answers: { key: string; file: string; request: JsonObject }[];
  rows: JsonObject[];
  raws?: JsonObject[];
  notices: Notice[];
}

const CASES = readdirSync(FOLDER).filter((name) => name.endsWith('.case.json'));
const load = (name: string): Case => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
const answersOf = ({ answers }: Case): RawAnswer[] =>
  answers.map(({ key, request, file }) => answerOf(key, request, readFileSync(new URL(file, FOLDER))));

const parse = (
  credentials: JsonObject,
  answers: RawAnswer[],
  scope: TaxScope = 'rcv',
  period = '2026-10',
): { rows: ParsedRow[]; notices: Notice[]; unreadable: Notice[] } => {
  const rows: ParsedRow[] = [];
  const notices: Notice[] = [];
  const unreadable: Notice[] = [];
  const parsed = [...source.parse({ scope, period, credentials }, answers)];
  for (const item of parsed) {
    if ('notice' in item) notices.push(item.notice);
    else if ('row' in item) rows.push(item.row);
    else if ('unreadable' in item) unreadable.push(item.unreadable);
  }
  notices.push(...tieOutNotices(SCOPES[scope], period, parsed));
  return { rows, notices, unreadable };
};

describe('fixtures', () => {
  test('there are all variants of the wire', () => expect(CASES.length).toBeGreaterThanOrEqual(24));

  test.each(CASES)('%s', (name) => {
    const fixture = load(name);
    const { rows, notices } = parse(fixture.credentials, answersOf(fixture), fixture.scope, fixture.period);
    // Not `toMatchObject`: a field that is missing in the answer must be undefined, and no additional field may appear.
    expect(rows.map(({ row }) => row)).toEqual(fixture.rows);
    expect(notices).toEqual(fixture.notices);
    if (fixture.raws) expect(rows.map(({ raw }) => raw)).toEqual(fixture.raws);
    for (const { row, answerKey } of rows) {
      SCOPES[fixture.scope].parsed.parse(row);
      expect(answerKey).toBe(fixture.answers[0]!.key);
    }
  });

  test.each(CASES.filter((name) => load(name).answers[0]!.file.endsWith('.csv')))('%s as gzip', (name) => {
    const fixture = load(name);
    const zipped = answersOf(fixture).map((answer) => ({ ...answer, body: gzipSync(answer.body) }));
    expect(parse(fixture.credentials, zipped)).toEqual(parse(fixture.credentials, answersOf(fixture)));
  });
});

const OWN = { rut: '70000002-8' };
const DETAIL = { method: 'getDetalleCompra', ptributario: '202610', operacion: 'COMPRA', estadoContab: 'REGISTRO' };
const KEY = 'purchases/REGISTRO/33';
const ROW = {
  detRutDoc: 70000001,
  detDvDoc: 'K',
  detRznSoc: 'PROVEEDOR EJEMPLO SPA',
  detNroDoc: 8123,
  detFchDoc: '05/10/2026',
  detMntExe: 0,
  detMntNeto: 84034,
  detMntIVA: 15966,
  detMntTotal: 100000,
};

const detailOf = (rows: unknown[]): RawAnswer =>
  answerOf(KEY, { ...DETAIL, codTipoDoc: '33' }, JSON.stringify({ data: rows, respEstado: { codRespuesta: 0 } }));

const HEADER = 'Nro;RUT Proveedor;Razon Social;Folio;Fecha Docto;Fecha Recepcion;Monto Exento;Monto Neto;';
const COLUMNS = `${HEADER}Monto IVA Recuperable;Monto Total`;
const LINE = '1;70000001-K;PROVEEDOR EJEMPLO SPA;8123;05/10/2026;06/10/2026 10:12:44;0;84034;15966;100000;';
const fileOf = (text: string): RawAnswer =>
  answerOf(`${KEY}/file`, { ...DETAIL, method: 'obtenerArchivoBLOB', codTipoDoc: '33' }, text);

const refusal = (answers: RawAnswer[]): unknown => {
  try {
    parse(OWN, answers);
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('what cannot be read is named by row and field, never by value', () => {
  /** A single bad row is reported, and the rest is stored. */
  test.each([
    ['detFchDoc', '31/02/2026'],
    ['detFchDoc', '2026-10-05'],
    ['detFchDoc', undefined],
    ['detFecRecepcion', '06/10/2026 25:00:00'],
    ['detFecRecepcion', true],
    ['detNroDoc', null],
    ['detRutDoc', ''],
    ['detDvDoc', null],
    ['detMntNeto', '84034.5'],
    ['detMntNeto', '1,5'],
    ['detMntNeto', 1.5],
    ['detMntNeto', 1e21],
    ['detMntTotal', '12.34'],
    ['detMntIVA', {}],
    ['detMntExe', undefined],
    ['detTipoDoc', 'SECRETO'],
    ['detRznSoc', ['x']],
  ])('%s = %j', (field, value) => {
    const odd = { ...ROW, [field]: value };
    const failure = refusal([detailOf([ROW, odd, odd])]);
    expect(failure).toMatchObject({ name: 'SourceError', code: 'source.unexpected_response' });
    expect((failure as Error).message).toContain(`${KEY}, row 2: ${field}`);
    if (typeof value === 'string' && value !== '') expect((failure as Error).message).not.toContain(value);
  });

  test.each([
    ['a missing column', `${COLUMNS.replace('Folio;', '')}\r\n`],
    ['a file of the other side', COLUMNS.replace('RUT Proveedor', 'Rut cliente')],
    ['no header', ''],
  ])('%s', (_what, text) => {
    expect(refusal([fileOf(text)])).toMatchObject({ code: 'source.unexpected_response' });
  });

  test.each([
    ['a line cut off', LINE.slice(0, 40)],
    ['a continuation of another document', `${LINE}\r\n;70000001-K;X;9999;05/10/2026;;;;;;`],
    ['a document without folio', LINE.replace('8123', '')],
    ['a document without RUT', LINE.replace('70000001-K', '-')],
    ['a document without date', LINE.replace('05/10/2026', '')],
  ])('%s: reported when it is the only one, refused when there are two', (_what, odd) => {
    const told = parse(OWN, [fileOf(`${COLUMNS}\r\n${odd}\r\n${LINE}`)]);
    expect(told.unreadable).toMatchObject([{ code: 'tax.rcv.lines_unreadable' }]);
    expect(told.rows.map(({ row }) => row.folio)).toContain('8123');
    expect(refusal([fileOf(`${COLUMNS}\r\n${odd}\r\n${odd}`)])).toMatchObject({ code: 'source.unexpected_response' });
  });

  test.each([
    ['before', [LINE, 'copy', 'more']],
    ['after', [LINE, 'more', 'copy']],
  ])('a copy %s the continuation line of its document leaves the line with it', (_what, order) => {
    const lines = order.map((line) => (line === 'copy' ? LINE : line === 'more' ? LINE.replace('1;', ';') : line));
    const { rows, unreadable } = parse(OWN, [fileOf([COLUMNS, ...lines].join('\r\n'))]);
    const stored = rows.at(-1);
    expect([stored?.row.folio, stored?.raw.otros_impuestos, unreadable]).toEqual(['8123', [expect.anything()], []]);
  });

  test('a continuation of nothing', () => {
    const { rows, unreadable } = parse(OWN, [fileOf(`${COLUMNS}\r\n${LINE.replace('1;', ';')}`)]);
    expect([rows, unreadable.length]).toEqual([[], 1]);
  });

  test('bytes that only begin like a gzip', () => {
    const broken = { ...fileOf(''), body: new Uint8Array([0x1f, 0x8b, 1, 2, 3]) };
    expect(refusal([broken])).toMatchObject({ code: 'source.unexpected_response' });
  });
});

describe('reading', () => {
  test('order of answers does not matter: the register is read last', () => {
    const of = (estado: string) => ({
      ...detailOf([ROW]),
      key: `purchases/${estado}/33`,
      request: { ...DETAIL, estadoContab: estado, codTipoDoc: '33' },
    });
    const answers = ['REGISTRO', 'RECLAMADO', 'PENDIENTE', 'NO_INCLUIR'].map(of);
    const estados = parse(OWN, answers).rows.map(({ row }) => row.estado);
    expect(estados).toEqual(['pendiente', 'no_incluir', 'reclamado', 'registro']);
    expect(parse(OWN, answers.toReversed()).rows.map(({ row }) => row.estado)).toEqual(estados);
  });

  test('rows come one by one', () => {
    const answers = [detailOf([ROW, { ...ROW, detNroDoc: null }, { ...ROW, detNroDoc: null }])];
    const rows = source.parse({ scope: 'rcv', period: '2026-10', credentials: OWN }, answers)[Symbol.iterator]();
    expect(rows.next().value).toMatchObject({ row: { row: { folio: '8123' } } });
    expect(() => rows.next()).toThrow('row 2: detNroDoc');
  });

  test('the company is that of the credentials, in any spelling', () => {
    const credentials = { rut: '11.111.111-1', company_rut: '70.000.002-8' };
    expect(parse(credentials, [detailOf([ROW])]).rows[0]!.row.receiver_rut).toBe('70000002-8');
  });

  test.each([true, 1, 'true', '1', 'S', 'SI'])('a document whose detAnulado is %j is voided', (detAnulado) => {
    const row = { ...ROW, detEventoReceptorLeyenda: 'Acuse de recibo', detAnulado };
    expect(parse(OWN, [detailOf([row])]).rows[0]!.row.status).toBe('Anulado');
  });

  test.each([null, '', ' ', false, 0, 'false', 'N', 'NO'])('one whose detAnulado is %j is not', (detAnulado) => {
    const row = { ...ROW, detEventoReceptorLeyenda: 'Acuse de recibo', detAnulado };
    expect(parse(OWN, [detailOf([row])]).rows[0]!.row.status).toBe('Acuse de recibo');
  });

  test('a RUT with a wrong check digit would be another party: the line is not read', () => {
    const { rows, unreadable } = parse(OWN, [detailOf([ROW, { ...ROW, detNroDoc: 2, detDvDoc: '9' }])]);
    expect(rows).toHaveLength(1);
    expect(unreadable[0]!.message).toContain('row 2: detRutDoc has a wrong check digit');
  });

  test('a folio with zeros before it is the same document', () => {
    const folios = ['0042', 42, '42'].map(
      (detNroDoc) => parse(OWN, [detailOf([{ ...ROW, detNroDoc }])]).rows[0]!.row.folio,
    );
    expect(new Set(folios)).toEqual(new Set(['42']));
  });

  test.each(['texto', '-', 'K', 'X-70000001', '70000001-X', '7000000A-1'])('%j is no RUT', (rut) => {
    const lines = LINE.split(';').with(1, rut).join(';');
    const [told] = parse(OWN, [fileOf(`${COLUMNS}\n${lines}\n`)]).unreadable;
    expect(told!.message).toMatch(/rut proveedor is (?:not a RUT|missing)/);
  });

  test.each([
    [33, '10370-10371', '10370'],
    ['61', '10370 - 10371', '10370'],
    [801, '4500-12', '4500-12'],
    ['802', '7-8-9', '7-8-9'],
    [801, '1057-33-SE26', '1057-33-SE26'],
    ['HES', '4500-12', '4500-12'],
    [0, '4500-12', '4500-12'],
  ])('a reference of type %j to %j is %j, on both wires', (type, folio, read) => {
    const row = { ...ROW, detTipoDocRef: type, detFolioDocRef: folio };
    expect(parse(OWN, [detailOf([row])]).rows[0]!.row.referenced_folio).toBe(read);
    const names = COLUMNS.replace('RUT Proveedor', 'Rut cliente').replace('IVA Recuperable', 'IVA');
    const text = `${names};Tipo Docto. Referencia;Folio Docto. Referencia\n${LINE}${type};${folio};`;
    const file = fileOf(text);
    const sales = { ...file, request: { ...file.request, operacion: 'VENTA' } };
    expect(parse(OWN, [sales]).rows[0]!.row.referenced_folio).toBe(read);
  });

  test('a type that is shown only as a total is reported by a notice', () => {
    const rows = [
      { rsmnTipoDocInteger: 39, dcvTipoIngresoDoc: 'RESUMEN', rsmnLink: false, rsmnTotDoc: 400 },
      { rsmnTipoDocInteger: '33', dcvTipoIngresoDoc: 'DET_ELE', rsmnLink: false, rsmnTotDoc: '9000' },
      { rsmnTipoDocInteger: 34, dcvTipoIngresoDoc: 'DET_ELE', rsmnLink: true, rsmnTotDoc: 1 },
    ].map((row) => ({ ...row, rsmnMntNeto: 1, rsmnMntIVA: 0, rsmnMntExe: 0, rsmnMntTotal: 1 }));
    const request = { ...DETAIL, method: 'getResumen', codTipoDoc: null };
    const summary = answerOf('k', request, JSON.stringify({ data: rows, respEstado: { codRespuesta: 0 } }));
    expect(parse(OWN, [summary])).toEqual({
      rows: [],
      unreadable: [],
      notices: [
        {
          code: 'tax.rcv.total_only',
          message: '2026-10, purchases (registro): 9000 documents of type 33 are shown as a total only.',
          params: { period: '2026-10', direction: 'received', document_type: '33', count: 9000 },
        },
        {
          code: 'tax.rcv.totals_differ',
          message:
            '2026-10: direction received, estado registro, document_type 33: the source says rows 9000, the stored rows come to 0. 5 other figures differ.',
          params: { period: '2026-10', count: 6 },
        },
      ],
    });
  });
});
