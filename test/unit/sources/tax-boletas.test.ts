/**
 * Daily receipts over the wire: the requests, the effect of a refusal of type 41, and answers that a parser must
 * refuse.
 */
import { describe, expect, test } from 'vitest';
import { type BoletaRow, taxBoletas } from '#shared/scopes/tax-boletas.ts';
import type { JsonObject, RawAnswer } from '#shared/sources/source.ts';
import { source } from '#shared/sources/tax/source.ts';
import { answerOf, createAsk } from './ask.ts';
import {
  inSession,
  io,
  knobs,
  LAST_MONTH,
  labelled,
  PERIOD,
  pullScope,
  requestOf,
  sandbox,
  withKnobs,
} from './tax-stage.ts';
import { tallyRows } from './tax-tally.ts';

const read = (label: string, period = LAST_MONTH) => pullScope<BoletaRow>('boletas', labelled(label), period);

describe('a month', () => {
  test('is the totals of the register and the days of both types', async () => {
    const { rows, notices, asked, messages } = await read('works: small company');
    expect(asked.fetched).toEqual(['summary', '39', '41']);
    expect(notices).toEqual([]);
    expect(messages).toHaveLength(2);
    expect(new Set(rows.map(({ document_type }) => document_type))).toEqual(new Set(['39', '41']));
    for (const row of rows.filter(({ document_type }) => document_type === '41')) {
      expect([row.net_amount, row.vat_amount, row.exempt_amount]).toEqual(['0', '0', row.total_amount]);
    }
    const keys = rows.map((row) => taxBoletas.naturalKey(row).join());
    expect(new Set(keys).size).toBe(rows.length);
  });

  test('that is not over has days up to today', async () => {
    const { rows } = await read('works: small company', PERIOD);
    const last = Math.max(...rows.map(({ day }) => day));
    expect(last).toBeLessThanOrEqual(20);
    expect(last).toBeGreaterThan(15);
  });

  test('without sales is no rows and no notice; one before the register began is one notice', async () => {
    await withKnobs(
      { rut: '70000002-8', period: '2026-03', documents: 0 },
      { rut: '70000002-8', period: '2026-03', documents: 120 },
      async () => {
        const empty = await read('works: small company', '2026-03');
        expect([empty.rows, empty.notices]).toEqual([[], []]);
      },
    );
    const old = await read('works: small company', '2017-04');
    expect(old.notices.map(({ code }) => code)).toEqual(['tax.boletas.out_of_window']);
    expect(old.asked.fetched).toEqual(['summary']);
  });

  test('stored answers are not requested again, the refused one included', async () => {
    const first = await read('notice: exempt receipts');
    expect(first.asked.kept.get('41')?.request).toMatchObject({ isRefused: true });
    const again = createAsk(first.asked.kept);
    const second = await pullScope<BoletaRow>('boletas', labelled('notice: exempt receipts'), LAST_MONTH, again);
    expect(again.fetched).toEqual([]);
    expect([second.rows, second.notices]).toEqual([first.rows, first.notices]);
  });

  test('throttling and lost sessions are no refusal, even of type 41', async () => {
    for (const label of ['rate limited', 'session expires']) {
      const entry = labelled(label);
      const { rut } = entry.credentials;
      await knobs({ rut, reset: true });
      const asked = createAsk();
      await expect(pullScope('boletas', entry, LAST_MONTH, asked)).rejects.toThrow();
      expect([...asked.kept.keys()]).toEqual(['summary', '39']);
      let rows: BoletaRow[] | undefined;
      for (let attempt = 0; attempt < 3 && rows === undefined; attempt++) {
        rows = await pullScope<BoletaRow>('boletas', entry, LAST_MONTH, asked).then(
          (pulled) => pulled.rows,
          () => undefined,
        );
      }
      expect(tallyRows('boletas', rows ?? [])).toEqual(sandbox.ledger(rut, LAST_MONTH).boletas[LAST_MONTH]);
    }
  });

  test('a stored request holds neither RUT nor token', async () => {
    const { asked } = await read('works: small company');
    const requests = [...asked.kept.values()].map(({ request }) => JSON.stringify(request));
    expect(requests.join()).not.toMatch(/70000002|conversationId/);
    expect(asked.kept.get('39')?.request).toEqual({
      method: 'obtieneListaBoletasMes',
      periodo: '202610',
      tipoDocumento: '39',
    });
  });
});

test('the three scopes share one session, and each app is opened once', async () => {
  const entry = labelled('works: a person');
  const before = sandbox.logins(entry.credentials.rut);
  await inSession(entry, async (session) => {
    for (const scope of ['rcv', 'boletas', 'guias', 'boletas'] as const)
      await source.pull(requestOf(entry, LAST_MONTH, scope), {
        session,
        ask: createAsk().ask,
        io: io(),
        progress: () => {},
      });
    expect(session.apps).toEqual(['consdcvinternetui', 'complementoscvui', 'consemitidosinternetui']);
  });
  expect(sandbox.logins(entry.credentials.rut)).toBe(before + 1);
});

const DAY = { dia: 3, totalDocumentos: 2, montoNeto: 100, montoIva: 19, montoExento: 0, montoTotal: 119 };
const REQUEST = { method: 'obtieneListaBoletasMes', periodo: '202610', tipoDocumento: '39' };
const daysOf = (data: unknown, request: JsonObject = REQUEST): RawAnswer =>
  answerOf('39', request, JSON.stringify({ data, respEstado: { codRespuesta: 0 } }));
const parse = (answer: RawAnswer) => [
  ...source.parse({ scope: 'boletas', period: '2026-10', credentials: { rut: '70000002-8' } }, [answer]),
];

describe('what cannot be read is named by row and field, never by value', () => {
  test.each<[string, unknown]>([
    ['dia', 32],
    ['dia', 0],
    ['dia', null],
    ['dia', '3a'],
    ['dia', 1.5],
    ['totalDocumentos', -1],
    ['totalDocumentos', undefined],
    ['montoNeto', '12,5'],
    ['montoIva', 1.5],
    ['montoExento', {}],
    ['montoTotal', undefined],
    ['montoTotal', true],
    ['canal', []],
  ])('%s = %j', (field, value) => {
    const wrong = { ...DAY, dia: 4, [field]: value };
    const answer = daysOf({ boletas: [DAY, wrong] });
    expect(() => parse(answer)).toThrow(new RegExp(`^39, row 2: ${field} `));
  });

  test.each<[string, RawAnswer]>([
    ['a day twice with other amounts', daysOf({ boletas: [DAY, { ...DAY, montoTotal: 120 }] })],
    ['no list', daysOf({ total: 1 })],
    ['a list of another kind', daysOf({ boletas: {} })],
    ['data of another kind', daysOf('x')],
    ['rows in place of data', daysOf([DAY])],
    ['no data at all', daysOf(undefined)],
    ['a total that is no amount', daysOf({ boletas: [DAY], montoTotal: 'x' })],
    ['a type nobody asked for', daysOf({ boletas: [DAY] }, { ...REQUEST, tipoDocumento: '48' })],
    [
      'a day that the month does not have',
      daysOf({ boletas: [{ ...DAY, dia: 31 }] }, { ...REQUEST, periodo: '202611' }),
    ],
    ['no period', daysOf({ boletas: [DAY] }, { ...REQUEST, periodo: '2026-10' })],
  ])('%s', (_what, answer) => {
    expect(() => parse(answer)).toThrow(expect.objectContaining({ code: 'source.unexpected_response' }));
  });
});
