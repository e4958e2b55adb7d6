/**
 * Wrong answers about dispatch guides (tax.md §13: T1 to T5) are refused or reported, and never accepted as complete.
 */
import { describe, expect, test } from 'vitest';
import type { GuiaRow } from '#shared/scopes/tax-guias.ts';
import { addMonths } from '#shared/values/dates.ts';
import type { Lie } from './tax-liar.ts';
import { doubled, ledger, liar, readScope, refusal, without } from './tax-lies.ts';
import { LAST_MONTH, PERIOD } from './tax-stage.ts';
import { tallyRows } from './tax-tally.ts';

type Raw = Record<string, unknown>;

const read = (period = LAST_MONTH) => readScope<GuiaRow>('guias', period);
const refused = (period = LAST_MONTH) => refusal(period, 'guias');
const issued = (rows: GuiaRow[]) => rows.filter(({ direction }) => direction === 'issued');

/** Changes the guides of one direction, in every method. */
const inGuides =
  (change: (rows: Raw[]) => Raw[], operacion = '1'): Lie =>
  (method, answer, asked) => {
    const detail = answer.dataResp as { detalles: Raw[] } | null;
    if (method === 'getResumen' || String(asked.operacion) !== operacion || !detail) return;
    expect(detail.detalles.length).toBeGreaterThan(3);
    detail.detalles = change(detail.detalles);
  };

const inTotals =
  (change: (rows: Raw[], answer: Raw) => unknown, operacion = '1'): Lie =>
  (method, answer, asked) => {
    if (method !== 'getResumen' || String(asked.operacion) !== operacion) return undefined;
    return change((answer.data as unknown as { resumenDte: Raw[] }).resumenDte, answer as Raw);
  };

const ofGuides = (rows: Raw[]): Raw[] => rows.filter(({ tipoDoc }) => tipoDoc === 52);

test('through the door comes what the institution holds', async () => {
  const { rows, notices, unreadable } = await read();
  expect(tallyRows('guias', rows)).toEqual(ledger('guias'));
  expect([notices, unreadable]).toEqual([[], []]);
});

describe('another month (T1)', () => {
  test.each([
    ['every guide', (row: Raw) => row],
    ['every guide, spelled another way', (row: Raw) => ({ ...row, folio: String(row.folio) })],
  ])('%s of the month before is refused', async (_name, spell) => {
    liar.lie = inGuides((rows) =>
      rows.map((row) => spell({ ...row, fechaEmision: '05/09/2026', fechaRecepcion: '05/09/2026' })),
    );
    expect((await refused()).message).toMatch(/fechaEmision is of another month than was asked for/);
  });

  test('one of it is a line that cannot be read', async () => {
    liar.lie = inGuides(([first, ...rest]) => [
      { ...first, fechaEmision: '05/09/2026', fechaRecepcion: '05/09/2026' },
      ...rest,
    ]);
    const { rows, unreadable } = await read();
    expect(rows).toHaveLength(ledger('guias')!.count - 1);
    expect(unreadable.map(({ code }) => code)).toEqual(['tax.guias.lines_unreadable']);
  });

  test('a guide of the last day that arrived in this month is of this month', async () => {
    liar.lie = inGuides(([first, ...rest]) => [
      { ...first, fechaEmision: '30/09/2026', fechaRecepcion: '01/10/2026' },
      ...rest,
    ]);
    const { rows, unreadable } = await read();
    expect([rows.length, unreadable]).toEqual([ledger('guias')!.count, []]);
  });

  test('its totals are refused', async () => {
    liar.lie = inTotals((rows) => {
      for (const row of rows) row.periodo = '2026-09';
    });
    expect((await refused()).message).toMatch(/the totals of another month were answered$/);
  });
});

describe('copies (T2)', () => {
  test('do not replace what is missing', async () => {
    liar.lie = inGuides(doubled);
    const { rows, notices } = await read();
    const all = ledger('guias')!.by.issued!.count;
    expect(issued(rows)).toHaveLength(all - 2);
    expect(notices).toEqual([
      {
        code: 'tax.guias.fewer_than_total',
        message: `2026-10, issued: ${all - 2} guides came, the authority's total says ${all}.`,
        params: { period: '2026-10', direction: 'issued', count: all - 2, total: all },
      },
      {
        code: 'tax.guias.totals_differ',
        message: `2026-10: direction issued, document_type 52: the source says rows ${all}, the stored rows come to ${all - 2}. 3 other figures differ.`,
        params: { period: '2026-10', count: 4 },
      },
    ]);
    // The other method was also requested.
    expect(liar.called.filter((method) => method === 'getDetalleRecibidos')).toHaveLength(2);
  });

  test('with another amount are refused', async () => {
    liar.lie = inGuides(([first, , ...rest]) => [first!, { ...first, mntTotal: 1 }, ...rest]);
    expect((await refused()).message).toBe('issued/52, row 2: a guide comes twice with other contents');
  });
});

describe('keys and amounts (T3)', () => {
  test.each([
    ['rznSocRecep', 'counterparty_name'],
    ['fechaRecepcion', 'received_at'],
    ['tasaImptoIVA', 'vat_rate'],
    ['dehOrdenEvento', 'event_order'],
    ['dehDescripcion', 'event_description'],
    ['dhdrCodigo', 'dhdr_codigo'],
  ] as const)('%s gone: left open, and reported', async (key, field) => {
    liar.lie = inGuides((rows) => rows.map(without(key)));
    const { rows, notices } = await read();
    expect(new Set(issued(rows).map((row) => row[field]))).toEqual(new Set([undefined]));
    expect(notices).toEqual([
      {
        code: 'tax.guias.columns_missing',
        message: `2026-10: the answers changed. Keys absent: ${key}. What is stored was kept.`,
        params: { period: '2026-10' },
      },
    ]);
  });

  test('an amount that is null is left open, and reported', async () => {
    liar.lie = inGuides(([first, ...rest]) => [{ ...first, mntExento: null }, ...rest]);
    const { rows, notices } = await read();
    expect(rows.filter(({ exempt_amount }) => exempt_amount === undefined)).toHaveLength(1);
    expect(notices.map(({ message }) => message).join()).toContain('empty, which they never are: mntExento');
  });

  test('amounts a thousand times as large are reported by the totals', async () => {
    liar.lie = inGuides((rows) => rows.map((row) => ({ ...row, mntTotal: Number(row.mntTotal) * 1000 })));
    expect((await read()).notices).toEqual([
      {
        code: 'tax.guias.totals_differ',
        message: expect.stringMatching(/^2026-10: direction issued, document_type 52: the source says total_amount /),
        params: { period: '2026-10', count: 1 },
      },
    ]);
  });

  test('no amount at all despite totals is refused', async () => {
    liar.lie = inGuides((rows) => rows.map((row) => ({ ...row, mntTotal: 0 })));
    expect((await refused()).message).toBe('issued guides: the rows hold no total, and the totals do');
  });
});

describe('one guide, one row (T4)', () => {
  test('zeros before a folio change nothing', async () => {
    const good = await read();
    liar.lie = inGuides((rows) => rows.map((row) => ({ ...row, folio: `000${row.folio}` })));
    const { rows, notices } = await read();
    expect(rows).toEqual(good.rows);
    expect(notices).toEqual([]);
  });

  test('a wrong check digit is a line that cannot be read', async () => {
    liar.lie = inGuides(([first, ...rest]) => [
      { ...first, dvReceptor: first!.dvReceptor === '1' ? '2' : '1' },
      ...rest,
    ]);
    const { unreadable } = await read();
    expect(unreadable[0]?.message).toMatch(/rutReceptor has a wrong check digit\.$/);
  });
});

describe('"nothing" and "too old" (T5)', () => {
  test.each<[string, (rows: Raw[], answer: Raw) => unknown, RegExp]>([
    [
      'no data under success',
      (_, answer) => Object.assign(answer, { data: null }) && undefined,
      /success without a list of totals$/,
    ],
    [
      'no list under success',
      (_, answer) => Object.assign(answer, { data: { resumenDte: null } }) && undefined,
      /success without a list of totals$/,
    ],
    [
      '"nothing" beside totals',
      (_, answer) => Object.assign(answer, { respEstado: { codRespuesta: 2 } }) && undefined,
      /says that there is nothing, but contains totals$/,
    ],
    ['a type twice in a section', (rows) => void rows.push(ofGuides(rows)[0]!), /a type comes twice in one section$/],
    [
      'a total of none beside amounts',
      (rows) => {
        for (const row of ofGuides(rows)) row.totalDoc = 0;
      },
      /totalDoc cannot be read$/,
    ],
  ])('%s is refused', async (_name, change, message) => {
    liar.lie = inTotals(change);
    expect(await refused()).toMatchObject({
      code: 'source.unexpected_response',
      message: expect.stringMatching(message),
    });
  });

  test('"nothing" despite guides is refused', async () => {
    liar.lie = (method, answer) => {
      if (method !== 'getResumen') answer.respEstado.codRespuesta = 2;
    };
    expect((await refused()).message).toMatch(/says that there is nothing, but contains guides$/);
  });

  const tooOld =
    (isMeant: (method: string, operacion: string) => boolean): Lie =>
    (method, answer, asked) =>
      isMeant(method, String(asked.operacion))
        ? { data: null, dataResp: null, respEstado: { codRespuesta: 1, msgeRespuesta: 'Periodo fuera' } }
        : answer;

  test.each([PERIOD, LAST_MONTH])('%s is not too old', async (period) => {
    liar.lie = tooOld((method) => method === 'getResumen');
    expect((await refused(period)).message).toBe(`getResumen: ${period} is called too old, which it is not`);
    liar.lie = tooOld((method) => method !== 'getResumen');
    expect((await refused(period)).message).toMatch(/^getDetalle: .* is called too old, which it is not$/);
  });

  test.each<[string, (method: string, operacion: string) => boolean]>([
    ['the totals of the received ones alone', (method, operacion) => method === 'getResumen' && operacion === '2'],
    ['the received ones alone', (method, operacion) => method !== 'getResumen' && operacion === '2'],
  ])('%s cannot be too old', async (_name, isMeant) => {
    liar.lie = tooOld(isMeant);
    const { message } = await refused(addMonths(PERIOD, -3));
    expect(message).toMatch(/too old, while others of the month were answered$/);
  });

  test('despite rows the word is not accepted', async () => {
    liar.lie = (method, answer) =>
      method === 'getResumen'
        ? answer
        : { ...answer, respEstado: { codRespuesta: 1, msgeRespuesta: 'Periodo fuera' }, relleno: 'x'.repeat(70_000) };
    expect((await refused(addMonths(PERIOD, -3))).message).toMatch(/: says "too old", but contains rows$/);
  });
});
