/** Notes on purchase invoices: the buyer issued them, on both wires and both sides (tax.md §8.1). */
import { describe, expect, test } from 'vitest';
import { type RcvRow, taxRcv } from '#shared/scopes/tax-rcv.ts';
import type { RawAnswer } from '#shared/sources/source.ts';
import { source } from '#shared/sources/tax/source.ts';
import { answerOf } from './ask.ts';
import { inRows, inTotals, liar, read } from './tax-lies.ts';

const OWN = '70000002-8';
const OTHER = '70000001-K';
const ROW = {
  detRutDoc: 70000001,
  detDvDoc: 'K',
  detRznSoc: 'OTRA PARTE SPA',
  detNroDoc: 8,
  detFchDoc: '05/10/2026',
  detFecRecepcion: '06/10/2026 10:12:44',
  ...{ detMntExe: 0, detMntNeto: 84034, detMntIVA: 15966, detMntTotal: 100000 },
};
const MARK = 'NCE o NDE sobre Fact. de Compra';

type Side = 'COMPRA' | 'VENTA';

const requestOf = (method: string, operacion: Side, codTipoDoc: string) => ({
  ...{ method, operacion, codTipoDoc },
  ...{ ptributario: '202610', estadoContab: 'REGISTRO' },
});

const byJson = (side: Side, type: string, marks: readonly unknown[]): RawAnswer => {
  const data = marks.map((detEmisorNota) => ({ ...ROW, detEmisorNota }));
  const request = requestOf(side === 'COMPRA' ? 'getDetalleCompra' : 'getDetalleVenta', side, type);
  return answerOf('detail', request, JSON.stringify({ data, respEstado: { codRespuesta: 0 } }));
};

const byFile = (side: Side, type: string, marks: readonly unknown[]): RawAnswer => {
  const names = side === 'COMPRA' ? ['RUT Proveedor', 'Monto IVA Recuperable'] : ['Rut cliente', 'Monto IVA'];
  const header = `Nro;${names[0]};Razon Social;Folio;Fecha Docto;Fecha Recepcion;Monto Exento;Monto Neto;${names[1]};Monto Total;${MARK}`;
  const lines = marks.map(
    (mark, at) =>
      `${at + 1};${OTHER};OTRA PARTE SPA;8;05/10/2026;06/10/2026 10:12:44;0;84034;15966;100000;${mark ?? ''};`,
  );
  return answerOf('file', requestOf('obtenerArchivoBLOB', side, type), [header, ...lines].join('\r\n'));
};

const rowsOf = (answer: RawAnswer): RcvRow[] =>
  [...source.parse({ scope: 'rcv', period: '2026-10', credentials: { rut: OWN } }, [answer])].flatMap((item) =>
    'row' in item ? [item.row.row as RcvRow] : [],
  );

const partiesOf = ({ issuer_rut, issuer_name, receiver_rut, receiver_name }: RcvRow) => [
  [issuer_rut, issuer_name],
  [receiver_rut, receiver_name],
];

const US = [OWN, null];
const THEM = [OTHER, 'OTRA PARTE SPA'];

describe.each([
  ['JSON', byJson],
  ['a file', byFile],
] as const)('by %s', (_wire, answerWith) => {
  test.each(['56', '61', '55', '60'])('a marked note of type %s is of the buyer', (type) => {
    expect(rowsOf(answerWith('COMPRA', type, [1])).map(partiesOf)).toEqual([[US, THEM]]);
    expect(rowsOf(answerWith('VENTA', type, ['1'])).map(partiesOf)).toEqual([[THEM, US]]);
  });

  test.each([0, '0', null, '', 2])('a note with the mark %j is of the seller', (mark) => {
    expect(rowsOf(answerWith('COMPRA', '61', [mark])).map(partiesOf)).toEqual([[THEM, US]]);
    expect(rowsOf(answerWith('VENTA', '61', [mark])).map(partiesOf)).toEqual([[US, THEM]]);
  });

  test('the mark says nothing about other types', () => {
    expect(rowsOf(answerWith('COMPRA', '33', [1])).map(partiesOf)).toEqual([[THEM, US]]);
    expect(rowsOf(answerWith('COMPRA', '46', [0])).map(partiesOf)).toEqual([[US, THEM]]);
  });

  test.each(['COMPRA', 'VENTA'] as const)('%s: notes of both parties with one number are two documents', (side) => {
    const rows = rowsOf(answerWith(side, '61', [1, 0]));
    expect(rows.map(({ issuer_rut }) => issuer_rut).toSorted()).toEqual([OTHER, OWN]);
    expect(new Set(rows.map((row) => taxRcv.naturalKey(row).join())).size).toBe(2);
  });
});

test('the key of a note without the mark is that of earlier releases', () => {
  const [row] = rowsOf(byJson('COMPRA', '61', [null]));
  expect(row && taxRcv.naturalKey(row)).toEqual(['received', '61', OTHER, '8']);
});

test('the institution shows such notes, and the totals agree', async () => {
  const { rows, notices } = await read();
  const marked = rows.filter(({ on_purchase_invoice }) => on_purchase_invoice);
  expect(marked.length).toBeGreaterThan(0);
  for (const { direction, issuer_name, receiver_name } of marked)
    expect(direction === 'received' ? issuer_name : receiver_name).toBeNull();
  expect(notices).toEqual([]);
});

test('a month with a note of each party under one number is not refused', async () => {
  const isNote = (row: Record<string, unknown>) => row.rsmnTipoDocInteger === 61;
  liar.lie = (method, answer, asked) => {
    inRows((rows) => [...rows, { ...rows[0], detEmisorNota: rows[0]?.detEmisorNota === 1 ? 0 : 1 }], '61')(
      method,
      answer,
      asked,
    );
    return inTotals((_row, { data }) => {
      for (const row of data ?? []) if (isNote(row)) row.rsmnTotDoc = Number(row.rsmnTotDoc) + 1;
    })(method, answer, asked);
  };
  const { rows } = await read();
  const keys = rows.map((row) => taxRcv.naturalKey(row).join());
  expect(keys.filter((key) => keys.includes(`${key},on_purchase_invoice`))).toHaveLength(1);
});
