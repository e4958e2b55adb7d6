/** Dispatch guides over the wire: window, two methods, both directions, and answers that a parser must refuse. */
import { describe, expect, test } from 'vitest';
import { type GuiaRow, taxGuias } from '#shared/scopes/tax-guias.ts';
import type { JsonObject, RawAnswer } from '#shared/sources/source.ts';
import { source } from '#shared/sources/tax/source.ts';
import { addMonths } from '#shared/values/dates.ts';
import { answerOf, createAsk } from './ask.ts';
import { failureOf, knobs, LAST_MONTH, labelled, PERIOD, pullScope, sandbox } from './tax-stage.ts';
import { tallyRows } from './tax-tally.ts';

const read = (label: string, period = LAST_MONTH) => pullScope<GuiaRow>('guias', labelled(label), period);

describe('a month', () => {
  test('is a total and a detail for each direction', async () => {
    const { rows, notices, asked, messages } = await read('works: small company');
    expect(asked.fetched).toEqual(['issued/summary', 'issued/52/0', 'received/summary', 'received/52/0']);
    expect(notices).toEqual([]);
    expect(messages.at(-1)).toMatch(new RegExp(`^guias 2026-10: ${rows.length} of ${rows.length} guides$`));
    const methods = [...asked.kept.values()].map(({ request }) => request.method);
    expect(methods).toEqual(['getResumen', 'getDetalle', 'getResumen', 'getDetalleRecibidos']);
    // `rutReceptor` is the counterparty in both directions.
    for (const row of rows) expect(row.counterparty_rut).toMatch(/^\d{8}-[\dK]$/);
    expect(rows.filter(({ dhdr_codigo }) => dhdr_codigo === null).length).toBeGreaterThan(0);
    for (const { source_guide_id, dhdr_codigo, direction, counterparty_rut, folio } of rows)
      expect(source_guide_id).toBe(dhdr_codigo ?? `${direction}-${counterparty_rut}-${folio}`);
    expect(new Set(rows.map(({ vat_rate }) => vat_rate))).toEqual(new Set(['19.0']));
    expect(new Set(rows.map((row) => taxGuias.naturalKey(row).join())).size).toBe(rows.length);
  });

  test('of 5,000 guides is read completely', async () => {
    const entry = labelled('large company');
    await knobs({ rut: entry.credentials.rut, period: LAST_MONTH, documents: 100 });
    try {
      const { rows } = await pullScope<GuiaRow>('guias', entry, LAST_MONTH);
      expect(rows.filter(({ direction }) => direction === 'issued')).toHaveLength(5_000);
      expect(tallyRows('guias', rows)).toEqual(sandbox.ledger(entry.credentials.rut, LAST_MONTH).guias[LAST_MONTH]);
    } finally {
      await knobs({ rut: entry.credentials.rut, period: LAST_MONTH, documents: 20_000 });
    }
  });

  test('asks the other method when the usual one gives less than the totals say', async () => {
    const { rows, asked } = await read('works: issued guides by');
    expect(rows.some(({ direction }) => direction === 'issued')).toBe(true);
    expect(asked.kept.get('issued/52/0')?.request).toMatchObject({ method: 'getDetalleRecibidos', operacion: '1' });
  });

  test('an empty list while the totals count some is no answer', async () => {
    const entry = labelled('notice: fewer guides');
    await knobs({ rut: entry.credentials.rut, period: LAST_MONTH, guides: 1 });
    const asked = createAsk();
    const failure = await failureOf(() => pullScope('guias', entry, LAST_MONTH, asked));
    expect(failure).toMatchObject({ code: 'source.unexpected_response', unread: { contentType: expect.any(String) } });
    expect(asked.fetched).toEqual(['issued/summary', 'issued/52/0']);
    expect([...asked.kept.keys()]).toEqual(['issued/summary']);
  });

  test('fewer than the totals say are stored, and reported', async () => {
    const { rows, notices } = await read('notice: fewer guides', '2026-09');
    expect(rows.length).toBeGreaterThan(3);
    expect(notices.map(({ code }) => code)).toEqual([
      'tax.guias.fewer_than_total',
      'tax.guias.fewer_than_total',
      'tax.guias.totals_differ',
    ]);
  });

  test('a stored request holds neither RUT nor token', async () => {
    const { asked } = await read('works: small company');
    expect(asked.kept.get('received/52/0')?.request).toEqual({
      method: 'getDetalleRecibidos',
      periodo: '2026-10',
      operacion: '2',
      tipoDoc: '52',
      refNCD: '0',
    });
  });

  test('stored answers are not requested again', async () => {
    const first = await read('works: small company');
    const again = createAsk(first.asked.kept);
    const second = await pullScope<GuiaRow>('guias', labelled('works: small company'), LAST_MONTH, again);
    expect(again.fetched).toEqual([]);
    expect(second.rows).toEqual(first.rows);
  });
});

describe('the window', () => {
  test.each(['works: small company', 'works: only the detail refuses old guides'])(
    '%s: six months, then one notice',
    async (label) => {
      const oldest = addMonths(PERIOD, -5);
      expect((await read(label, oldest)).notices).toEqual([]);
      const { rows, notices } = await read(label, addMonths(oldest, -1));
      expect(rows).toEqual([]);
      // If the detail of guides is refused, their totals are compared with no rows.
      const isTold = label === 'works: only the detail refuses old guides' ? ['tax.guias.totals_differ'] : [];
      expect(notices.map(({ code }) => code)).toEqual(['tax.guias.out_of_window', ...isTold]);
    },
  );

  test('the adapter asks for any period, and accepts the answer', async () => {
    const { asked } = await read('works: small company', '2019-01');
    expect(asked.fetched).toEqual(['issued/summary', 'received/summary']);
  });
});

const GUIDE = {
  rutReceptor: 70000003,
  dvReceptor: '6',
  rznSocRecep: 'CLIENTE EJEMPLO LTDA',
  folio: 771,
  fechaEmision: '06/10/2026',
  mntNeto: 84034,
  mntExento: 0,
  mntIva: 15966,
  mntTotal: 100000,
};
const REQUEST = { method: 'getDetalle', periodo: '2026-10', operacion: '1', tipoDoc: '52', refNCD: '0' };
const answered = (body: object, request: JsonObject = REQUEST): RawAnswer =>
  answerOf('issued/52/0', request, JSON.stringify({ ...body, respEstado: { codRespuesta: 0 } }));
const detail = (detalles: unknown, request: JsonObject = REQUEST) => answered({ dataResp: { detalles } }, request);
const parse = (answer: RawAnswer) => [
  ...source.parse({ scope: 'guias', period: '2026-10', credentials: { rut: '70000002-8' } }, [answer]),
];

describe('what cannot be read is named by row and field, never by value', () => {
  test.each<[string, unknown]>([
    ['rutReceptor', null],
    ['rutReceptor', 70000004],
    ['rznSocRecep', ['x']],
    ['folio', null],
    ['folio', '771A'],
    ['fechaEmision', null],
    ['fechaEmision', '06/09/2026'],
    ['fechaEmision', '31/02/2026'],
    ['fechaEmision', '2026-10-06'],
    ['fechaRecepcion', '6 de octubre'],
    ['mntExento', '1,5'],
    ['mntIva', 1.5],
    ['mntTotal', {}],
    ['tasaImptoIVA', '19,0'],
    ['tasaImptoIVA', -19],
    ['dehOrdenEvento', 'cinco'],
    ['dhdrCodigo', true],
  ])('%s = %j', (field, value) => {
    const odd = { ...GUIDE, folio: 772, [field]: value };
    const parsed = parse(detail([GUIDE, odd]));
    expect(parsed.filter((item) => 'row' in item)).toHaveLength(1);
    expect(parsed.at(-1)).toEqual({
      unreadable: {
        code: 'tax.guias.lines_unreadable',
        message: expect.stringContaining(`row 2: ${field} `),
        params: { period: '2026-10', count: 1 },
      },
    });
    // Two such rows mean that the wire has changed.
    expect(() => parse(detail([GUIDE, odd, odd]))).toThrow(new RegExp(`^issued/52/0, row 2: ${field} `));
  });

  test.each(['rutReceptor', 'dvReceptor', 'folio', 'fechaEmision', 'mntNeto', 'mntIva', 'mntExento', 'mntTotal'])(
    '%s gone',
    (field) => {
      const { [field]: _, ...rest } = GUIDE as JsonObject;
      expect(() => parse(detail([GUIDE, { ...rest }]))).toThrow(`issued/52/0, row 2: ${field} is missing`);
    },
  );

  test.each<[string, RawAnswer]>([
    ['rows at the top', answered({ data: [GUIDE] })],
    ['no list', answered({ dataResp: {} })],
    ['a list of another kind', detail('x')],
    ['rows of another kind', detail([GUIDE, null, null])],
    ['neither issued nor received', detail([GUIDE], { ...REQUEST, operacion: '3' })],
    ['a period without hyphen', detail([GUIDE], { ...REQUEST, periodo: '202610' })],
    ['no type', detail([GUIDE, { ...GUIDE, folio: 772 }], { ...REQUEST, tipoDoc: null })],
    ['a null list, which is not "nothing"', detail(null)],
    ['no list, under success', answered({ dataResp: null })],
    ['a guide twice with other contents', detail([GUIDE, { ...GUIDE, mntTotal: 100001 }])],
    ['totals without a list', answered({ data: {} }, { ...REQUEST, method: 'getResumen' })],
    [
      'a total without a number',
      answered({ data: { resumenDte: [{ tipoDoc: 52 }] } }, { ...REQUEST, method: 'getResumen' }),
    ],
    [
      'a total without a type',
      answered({ data: { resumenDte: [{ totalDoc: 1 }] } }, { ...REQUEST, method: 'getResumen' }),
    ],
  ])('%s', (_what, answer) => {
    expect(() => parse(answer)).toThrow(expect.objectContaining({ code: 'source.unexpected_response' }));
  });
});

test('an empty list and code 2 are nothing', () => {
  expect(parse(detail([]))).toEqual([]);
  expect(parse(answerOf('k', REQUEST, JSON.stringify({ respEstado: { codRespuesta: 2 } })))).toEqual([]);
});

test('a folio with zeros before it is the same guide', () => {
  const parsed = parse(detail([GUIDE, { ...GUIDE, folio: '00771' }]));
  expect(parsed.flatMap((item) => ('row' in item ? [item.row.row.folio] : []))).toEqual(['771']);
});
