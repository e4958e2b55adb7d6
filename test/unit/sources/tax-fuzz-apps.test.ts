/**
 * Mutated answers of receipts and guides give right rows or a SourceError, never another crash, a wrong sign or a gap.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BoletaRow } from '#shared/scopes/tax-boletas.ts';
import type { GuiaRow } from '#shared/scopes/tax-guias.ts';
import { type Json, type JsonObject, type Parsed, type RawAnswer, SourceError } from '#shared/sources/source.ts';
import { source } from '#shared/sources/tax/source.ts';
import { runs } from '#test/helpers/effort.ts';
import { answerOf } from './ask.ts';
import { SCOPES } from './tax-tally.ts';

/** Every run uses the same cases, so a failure comes from the code and not from chance. */
fc.configureGlobal({ seed: 20_261_121 });

const DAY: JsonObject = {
  dia: 3,
  totalDocumentos: 2,
  montoNeto: 100,
  montoIva: 19,
  montoExento: 0,
  montoTotal: 119,
  canal: null,
};
const GUIDE: JsonObject = {
  rutReceptor: 70000003,
  dvReceptor: '6',
  rznSocRecep: 'CLIENTE ÑUÑOA LTDA',
  folio: 771,
  fechaEmision: '06/10/2026',
  fechaRecepcion: '06/10/2026',
  mntNeto: 84034,
  mntExento: 0,
  mntIva: 15966,
  mntTotal: 100000,
  tasaImptoIVA: 19,
  dehOrdenEvento: '5',
  dehDescripcion: '',
  dhdrCodigo: 910000771,
};

interface Kind {
  scope: 'boletas' | 'guias';
  row: JsonObject;
  /** Fields without which no row is right. */
  needed: readonly string[];
  amounts: Readonly<Record<string, string>>;
  answer(rows: unknown): RawAnswer;
}

const state = { respEstado: { codRespuesta: 0 } };
const BOLETAS: Kind = {
  scope: 'boletas',
  row: DAY,
  needed: ['totalDocumentos', 'montoNeto', 'montoIva', 'montoExento', 'montoTotal'],
  amounts: {
    montoNeto: 'net_amount',
    montoIva: 'vat_amount',
    montoExento: 'exempt_amount',
    montoTotal: 'total_amount',
  },
  answer: (boletas) =>
    answerOf(
      '39',
      { method: 'obtieneListaBoletasMes', periodo: '202610', tipoDocumento: '39' },
      JSON.stringify({ data: { boletas }, ...state }),
    ),
};
const GUIAS: Kind = {
  scope: 'guias',
  row: GUIDE,
  needed: [
    ...['rutReceptor', 'dvReceptor', 'folio', 'fechaEmision'],
    ...['mntNeto', 'mntExento', 'mntIva', 'mntTotal'],
  ],
  amounts: { mntNeto: 'net_amount', mntIva: 'vat_amount', mntExento: 'exempt_amount', mntTotal: 'total_amount' },
  answer: (detalles) =>
    answerOf(
      'issued/52/0',
      { method: 'getDetalle', periodo: '2026-10', operacion: '1', tipoDoc: '52', refNCD: '0' },
      JSON.stringify({ dataResp: { detalles }, ...state }),
    ),
};

const parse = ({ scope }: Kind, answer: RawAnswer): Parsed[] | undefined => {
  try {
    return [...source.parse({ scope, period: '2026-10', credentials: { rut: '70000002-8' } }, [answer])];
  } catch (error) {
    expect(error).toBeInstanceOf(SourceError);
    expect((error as SourceError).code).toBe('source.unexpected_response');
    return undefined;
  }
};

const rowsOf = (parsed: Parsed[] | undefined) =>
  (parsed ?? []).flatMap((item) => ('row' in item ? [item.row.row as Record<string, unknown>] : []));

/** For any input, every row is valid for the scope, with its key and the requested month. */
const expectSound = (kind: Kind, parsed: Parsed[] | undefined): void => {
  for (const row of rowsOf(parsed)) {
    SCOPES[kind.scope].parsed.parse(row);
    expect(row.period).toBe('2026-10');
    if (kind.scope === 'guias') {
      const { folio, counterparty_rut, direction } = row as GuiaRow;
      expect([Boolean(folio), Boolean(counterparty_rut), direction]).toEqual([true, true, 'issued']);
    } else expect((row as BoletaRow).document_type).toBe('39');
  }
};

const anyCell: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom('', '-', 'null', null, '0', '-1', '1.234', '1.234.567', '1,5', '31/02/2026', '29/02/2024', '1e9', 32),
  fc.integer(),
  fc.double(),
);

describe.each([BOLETAS, GUIAS])('$scope', (kind) => {
  const keys = Object.keys(kind.row);

  test('any field may hold anything', () => {
    const changes = fc.dictionary(fc.constantFrom(...keys), anyCell, { maxKeys: 4 });
    void fc.assert(
      fc.property(changes, (change) => expectSound(kind, parse(kind, kind.answer([{ ...kind.row, ...change }])))),
      { numRuns: runs(600) },
    );
  });

  test('any field may be gone: rows without their key, date or amounts are refused', () => {
    for (const key of keys) {
      const { [key]: _, ...rest } = kind.row;
      const parsed = parse(kind, kind.answer([rest]));
      expect([key, parsed === undefined]).toEqual([key, kind.needed.includes(key)]);
      // An object without its day is skipped, as tax.md §6.3 requires.
      expect([key, rowsOf(parsed).length]).toEqual([key, kind.needed.includes(key) || key === 'dia' ? 0 : 1]);
    }
  });

  test('amounts keep their sign and every digit, as number or text; empty means no amount', () => {
    void fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(kind.amounts)),
        fc.maxSafeInteger(),
        fc.boolean(),
        (field, value, text) => {
          const row = rowsOf(parse(kind, kind.answer([{ ...kind.row, [field]: text ? String(value) : value }])))[0];
          expect(row?.[kind.amounts[field]!]).toBe(String(value === 0 ? 0 : value));
          const blank = rowsOf(parse(kind, kind.answer([{ ...kind.row, [field]: null }])))[0];
          // An empty amount of a guide leaves the stored amount unchanged.
          expect(blank?.[kind.amounts[field]!]).toBe(kind.scope === 'guias' ? undefined : null);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  test('any JSON, any bytes, and an answer cut anywhere', () => {
    void fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expectSound(kind, parse(kind, kind.answer(value)));
        expectSound(kind, parse(kind, kind.answer([kind.row, value])));
        const { key, request } = kind.answer([]);
        expectSound(
          kind,
          parse(kind, answerOf(key, request, JSON.stringify({ ...state, data: value as Json, dataResp: value }))),
        );
      }),
      { numRuns: runs(300) },
    );
    const whole = kind.answer([kind.row, { ...kind.row, dia: 4, folio: 772 }]);
    expect(rowsOf(parse(kind, whole))).toHaveLength(2);
    for (let length = 0; length < whole.body.length; length++)
      expect(parse(kind, { ...whole, body: whole.body.subarray(0, length) })).toBeUndefined();
    void fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) =>
        expectSound(kind, parse(kind, { ...whole, body: bytes })),
      ),
    );
  });
});
