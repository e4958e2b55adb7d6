/** Wrong answers about daily receipts (tax.md §13: T1, T5) are refused, requested again or reported. */
import { describe, expect, test } from 'vitest';
import type { BoletaRow } from '#shared/scopes/tax-boletas.ts';
import { addMonths } from '#shared/values/dates.ts';
import { type Lie, Status } from './tax-liar.ts';
import { ledger, liar, readScope, refusal } from './tax-lies.ts';
import { LAST_MONTH, PERIOD } from './tax-stage.ts';
import { tallyRows } from './tax-tally.ts';

const DAYS = 'obtieneListaBoletasMes';

const read = (period = LAST_MONTH) => readScope<BoletaRow>('boletas', period);
const refused = (period = LAST_MONTH) => refusal(period, 'boletas');

const inRegister =
  (change: Record<string, unknown>): Lie =>
  (method, answer) =>
    method === 'getResumen' ? { ...answer, ...change } : answer;

test('through the door comes what the institution holds', async () => {
  const { rows, notices } = await read();
  expect(tallyRows('boletas', rows)).toEqual(ledger('boletas'));
  expect(notices).toEqual([]);
});

describe("the register's totals", () => {
  test('of another month are refused (T1)', async () => {
    liar.lie = inRegister({
      dataCabecera: { dcvRutEmisor: 70000002, dcvPtributario: '202609', dcvOperacion: 'VENTA' },
    });
    expect((await refused()).message).toBe('getResumen: the register of another month was answered');
  });

  test('without a list under success are refused (T5)', async () => {
    liar.lie = inRegister({ data: null });
    expect((await refused()).message).toBe('getResumen: success without a list of totals');
  });

  test('that are not completely readable are refused', async () => {
    liar.lie = (method, answer) => {
      if (method === 'getResumen') answer.data!.find((row) => row.rsmnTipoDocInteger === 39)!.rsmnTipoDocInteger = null;
    };
    expect((await refused()).message).toMatch(/rsmnTipoDocInteger cannot be read$/);
  });

  test('without a line of receipts while there are days are reported', async () => {
    liar.lie = (method, answer) => {
      if (method === 'getResumen') answer.data = answer.data!.filter((row) => row.rsmnTipoDocInteger !== 39);
    };
    const { rows, notices } = await read();
    expect(tallyRows('boletas', rows)).toEqual(ledger('boletas'));
    expect(notices).toEqual([
      {
        code: 'tax.boletas.totals_differ',
        message: expect.stringMatching(
          /: document_type 39, told_by register: the source says total_documentos 0, the stored rows come to \d+\. 1 other figure differs\.$/,
        ),
        params: { period: expect.any(String), count: 2 },
      },
    ]);
  });
});

describe('"too old" (T5)', () => {
  const old = { respEstado: { codRespuesta: 99, msgeRespuesta: 'Período tributario no válido' } };

  test.each([PERIOD, LAST_MONTH])('of %s is not accepted', async (period) => {
    liar.lie = inRegister({ data: null, ...old });
    expect((await refused(period)).message).toBe(`getResumen: ${period} is called too old, which it is not`);
  });

  const oldDays =
    (...types: string[]): Lie =>
    (method, answer, asked) =>
      method === DAYS && types.includes(String(asked.tipoDocumento)) ? { ...answer, data: null, ...old } : answer;

  test.each([PERIOD, LAST_MONTH])('of the days of %s is not accepted', async (period) => {
    liar.lie = oldDays('39', '41');
    expect((await refused(period)).message).toBe(
      `obtieneListaBoletasMes: ${period} is called too old, which it is not`,
    );
  });

  test('of the days of an older month is one notice, for any content of the register', async () => {
    liar.lie = oldDays('39', '41');
    const { rows, notices } = await read(addMonths(PERIOD, -4));
    expect(rows).toEqual([]);
    expect(notices.map(({ code }) => code)).toEqual(['tax.boletas.out_of_window']);
  });

  test('of the days of 39 is given next to a refused type 41', async () => {
    liar.lie = (method, answer, asked) =>
      method === DAYS && asked.tipoDocumento === '41' ? new Status(500) : oldDays('39')(method, answer, asked);
    const { notices } = await read(addMonths(PERIOD, -4));
    expect(notices.map(({ code }) => code)).toEqual(['tax.boletas.out_of_window']);
  });

  test('of one type while the other has days is refused', async () => {
    liar.lie = oldDays('41');
    expect((await refused(addMonths(PERIOD, -4))).message).toBe('41: too old, while others of the month were answered');
  });
});

describe('type 41', () => {
  const faults = (count: number): Lie => {
    let left = count;
    return (method, answer, asked) =>
      method === DAYS && asked.tipoDocumento === '41' && left-- > 0 ? new Status(500) : answer;
  };

  test('refused once is requested again, and read', async () => {
    liar.lie = faults(1);
    const { rows, notices } = await read();
    expect(tallyRows('boletas', rows)).toEqual(ledger('boletas'));
    expect(notices).toEqual([]);
  });

  test('refused again is shown as a total only', async () => {
    liar.lie = faults(2);
    const { rows, notices } = await read();
    expect(new Set(rows.map(({ document_type }) => document_type))).toEqual(new Set(['39']));
    expect(notices.map(({ code }) => code)).toEqual(['tax.boletas.total_only', 'tax.boletas.totals_differ']);
    expect(liar.called.filter((method) => method === DAYS)).toHaveLength(3);
  });
});
