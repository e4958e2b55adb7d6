/** Mutated answers give right rows or a SourceError, never another crash, a wrong amount or a silent gap. */

import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Row } from '#shared/scopes/scope.ts';
import { DETAIL_KEYS } from '#shared/sources/procurement/detail-keys.ts';
import { detailItem, envelope, written } from '#shared/sources/procurement/sandbox/detail.ts';
import { makeCode, makeTender } from '#shared/sources/procurement/sandbox/tender.ts';
import { source } from '#shared/sources/procurement/source.ts';
import { type RawAnswer, SourceError } from '#shared/sources/source.ts';
import { runs } from '#test/helpers/effort.ts';
import { answerOf, NOW_MS } from './ask.ts';
import { SCOPES, type Scope } from './procurement-stage.ts';

fc.configureGlobal({ seed: 20_261_120 });

const FOLDER = new URL('../../../shared/sources/procurement/fixtures/', import.meta.url);
const body = (name: string): string => readFileSync(new URL(`${name}.body`, FOLDER), 'utf8');
const CODIGO = '990101-12-LE25';
const FICHA = answerOf('ficha', {}, body('ficha-attachments'));

/** Undefined if refused; any other result must be rows of the scope. */
const parse = (scope: Scope, answers: RawAnswer[]): Row[] | undefined => {
  const rows: Row[] = [];
  try {
    for (const item of source.parse({ scope, period: null, tender: CODIGO, credentials: {} }, answers)) {
      if (!('row' in item)) continue;
      const row = SCOPES[scope].parsed.strict().parse(item.row.row) as Row;
      expect(row.codigo).toBe(CODIGO);
      rows.push(row);
    }
  } catch (error) {
    expect(error).toBeInstanceOf(SourceError);
    expect((error as SourceError).code).toBe('source.unexpected_response');
    return undefined;
  }
  return rows;
};

const SIZE = { anexos: 3, antecedentes: 3, preguntas: 3, ofertas: 3 };
const TENDER = makeTender('fuzz', makeCode(990_101, '2026-08', 1), NOW_MS, () => SIZE)!;
const ITEM = detailItem(TENDER, NOW_MS);
const detail = (item: unknown): RawAnswer[] => [answerOf('detail', {}, written(envelope([item], NOW_MS))), FICHA];

const anyCell = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom('', ' ', null, '0', '-1', '1.234', '1,5', '2026-02-31T00:00:00', '31-02-2026', 1e21, -0, true),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** Texts inserted, removed or doubled anywhere. */
const edits = (text: string) =>
  fc.array(
    fc.record({
      at: fc.nat(text.length),
      drop: fc.nat(12),
      put: fc.oneof(
        fc.string({ maxLength: 4 }),
        fc.constantFrom('<', '>', '"', '&', '<td>', '</tr>', '$', '.', ',', '-', 'ñ', '\0', '<!--', '{', '}', '"id"'),
      ),
    }),
    { minLength: 1, maxLength: 4 },
  );
const apply = (text: string, changes: readonly { at: number; drop: number; put: string }[]): string => {
  let changed = text;
  for (const { at, drop, put } of changes) changed = changed.slice(0, at) + put + changed.slice(at + drop);
  return changed;
};

describe('the detail', () => {
  const AMOUNT = TENDER.monto;

  test('any field may hold anything', () => {
    const keys = Object.keys(ITEM);
    const dates = Object.keys(ITEM.Fechas);
    const buyers = Object.keys(ITEM.Comprador);
    const few = (names: string[]) => fc.dictionary(fc.constantFrom(...names), anyCell, { maxKeys: 3 });
    void fc.assert(
      fc.property(few(keys), few(dates), few(buyers), (top, Fechas, Comprador) => {
        const item = {
          ...ITEM,
          Fechas: { ...ITEM.Fechas, ...Fechas },
          Comprador: { ...ITEM.Comprador, ...Comprador },
          ...top,
        };
        parse('licitaciones', detail(item));
      }),
      { numRuns: runs(500) },
    );
  });

  test('any field may be gone: those of identity, dates, amount and state are refused, the others are not missed', () => {
    const needed = new Set([...DETAIL_KEYS.required, 'Comprador', 'Fechas']);
    for (const key of Object.keys(ITEM)) {
      const { [key as 'Nombre']: _, ...rest } = ITEM;
      expect(parse('licitaciones', detail(rest)) === undefined, key).toBe(needed.has(key));
    }
  });

  test('amounts keep every digit and the sign', () => {
    const amount = fc.tuple(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.nat(99));
    void fc.assert(
      fc.property(amount, ([whole, cents]) => {
        const text = `${whole}.${String(cents).padStart(2, '0')}`;
        const raw = written(envelope([{ ...ITEM, VisibilidadMonto: 1, MontoEstimado: 7_777_777 }], NOW_MS));
        const rows = parse('licitaciones', [answerOf('detail', {}, raw.replace('7777777', text))]);
        const plain = text.replace(/\.?0+$/, '').replace(/^-0$/, '0');
        expect(rows?.[0]?.monto_estimado).toBe(
          text.includes('.') ? (/\.\d*[1-9]/.test(text) ? plain : String(whole)) : text,
        );
      }),
    );
    expect(AMOUNT === null || /^\d/.test(AMOUNT)).toBe(true);
  });

  test('any JSON and any bytes', () => {
    void fc.assert(fc.property(fc.jsonValue(), (value) => void parse('licitaciones', detail(value))));
    void fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        for (const [scope, key] of [
          ['licitaciones', 'detail'],
          ['preguntas', 'preguntas'],
        ] as const)
          parse(scope, [{ ...answerOf(key, {}, ''), body: bytes }, FICHA]);
        for (const scope of ['documentos', 'ofertas'] as const) parse(scope, [{ ...FICHA, body: bytes }]);
      }),
    );
  });
});

describe('questions', () => {
  const ROW = (JSON.parse(body('preguntas')) as object[])[0]!;

  test('any field may hold anything', () => {
    const change = fc.dictionary(fc.constantFrom(...Object.keys(ROW)), anyCell, { maxKeys: 3 });
    void fc.assert(
      fc.property(change, (changes) => {
        const rows = parse('preguntas', [answerOf('preguntas', {}, JSON.stringify([ROW, { ...ROW, ...changes }]))]);
        for (const row of rows ?? []) expect(row.pregunta_id).toMatch(/^\d+$/);
      }),
      { numRuns: runs(400) },
    );
  });

  test('any text comes back as text', () => {
    void fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
        const row = { ...ROW, Descripcion: escaped, RespuestaPublicada: null };
        const rows = parse('preguntas', [answerOf('preguntas', {}, JSON.stringify([row]))]);
        const lines = (value: string) =>
          value
            .replaceAll('\u00A0', ' ')
            .split(/[ \t]*\r?\n[ \t]*/)
            .join('\n')
            .trim();
        expect(rows?.[0]?.pregunta).toBe(lines(text.trim()) || undefined);
      }),
    );
  });
});

describe('pages', () => {
  const anexo = (text: string) => [FICHA, answerOf('anexo/1', { listing: 'anexo', page: 1 }, text)];
  const antecedente = (text: string) => [
    FICHA,
    answerOf('antecedente/0/1', { listing: 'antecedente', item: 0, page: 1 }, text),
  ];
  const cuadro = (text: string) => [FICHA, answerOf('cuadro/1', { listing: 'cuadro', page: 1 }, text)];
  const ficha = (text: string) => [answerOf('detail', {}, body('empty-list')), answerOf('ficha', {}, text)];

  test.each([
    ['anexo', 'documentos', 'anexo-1', anexo],
    ['antecedente', 'documentos', 'antecedente', antecedente],
    ['cuadro', 'ofertas', 'cuadro', cuadro],
    ['ficha', 'licitaciones', 'ficha-attachments', ficha],
    ['ficha of documents', 'documentos', 'ficha-attachments', (text: string) => [answerOf('ficha', {}, text)]],
  ] as const)('%s changed anywhere', (_what, scope, file, answers) => {
    const text = body(file);
    void fc.assert(
      fc.property(edits(text), (changes) => void parse(scope, answers(apply(text, changes)))),
      { numRuns: runs(250) },
    );
  });

  const anyCurrency = (text: string) => [
    answerOf('ficha', {}, body('ficha-attachments').replace('lblFicha1Moneda', 'lblFicha1Nueva')),
    ...cuadro(text).slice(1),
  ];

  test('totals of offers are those that are shown, or the page is refused', () => {
    const whole = fc.bigInt({ min: 0n, max: 10n ** 15n });
    const cents = fc.option(fc.nat(99), { nil: undefined });
    void fc.assert(
      fc.property(
        whole,
        cents,
        fc.constantFrom('$ ', 'US$ ', 'UF ', '€ ', ''),
        fc.boolean(),
        (n, c, sign, isNegative) => {
          const decimals = c === undefined ? '' : String(c).padStart(2, '0');
          const grouped = String(n).replaceAll(/\B(?=(?:\d{3})+$)/g, '.');
          const shown = `${sign}${isNegative ? '-' : ''}${grouped}${decimals === '' ? '' : `,${decimals}`}`;
          const rows = parse('ofertas', anyCurrency(body('cuadro').replace('UF 42.000.000', () => shown)));
          const isZero = n === 0n && !(c ?? 0);
          const expected = `${isNegative && !isZero ? '-' : ''}${n}${decimals === '' ? '' : `.${decimals}`}`;
          expect(rows?.[0]?.total_oferta).toBe(expected);
        },
      ),
      { numRuns: runs(300) },
    );
  });

  test('a page cut anywhere shows no row that is not there', () => {
    const text = body('cuadro');
    const known = new Set(parse('ofertas', cuadro(text))!.map((row) => String(row.total_oferta)));
    for (let length = 0; length < text.length; length += 13)
      for (const row of parse('ofertas', cuadro(text.slice(0, length))) ?? [])
        expect(known).toContain(row.total_oferta);
  });
});
