/** Mutated answers give right rows or a SourceError, never another crash, a wrong sign or a silent gap. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isIssuedByBuyer, type RcvRow, taxRcv } from '#shared/scopes/tax-rcv.ts';
import { type ParsedRow, type RawAnswer, SourceError } from '#shared/sources/source.ts';
import { csvLines } from '#shared/sources/tax/sandbox/csv.ts';
import { detailRow } from '#shared/sources/tax/sandbox/detail.ts';
import type { Doc } from '#shared/sources/tax/sandbox/document.ts';
import { generateMonth } from '#shared/sources/tax/sandbox/generate.ts';
import { source } from '#shared/sources/tax/source.ts';
import { runs } from '#test/helpers/effort.ts';
import { answerOf } from './ask.ts';

/** Every run uses the same cases, so a failure comes from the code and not from chance. */
fc.configureGlobal({ seed: 20_261_120 });

const OWN = { rut: '70000002-8' };
const DOCS = generateMonth({
  seed: 'fuzz',
  company: OWN.rut,
  period: '2026-10',
  documents: 300,
  today: '2026-11-20',
}).filter(({ operation, estado }) => operation === 'COMPRA' && estado === 'REGISTRO');
/** A file contains one document type. */
const INVOICES = DOCS.filter(({ type }) => type === 33);
const REQUEST = { ptributario: '202610', operacion: 'COMPRA', estadoContab: 'REGISTRO', codTipoDoc: '33' };

const json = (rows: unknown): RawAnswer =>
  answerOf(
    'k',
    { ...REQUEST, method: 'getDetalleCompra' },
    JSON.stringify({ data: rows, respEstado: { codRespuesta: 0 } }),
  );
const file = (body: string | Uint8Array): RawAnswer =>
  answerOf('k', { ...REQUEST, method: 'obtenerArchivoBLOB' }, body);

const parse = (answer: RawAnswer): ParsedRow[] | undefined => {
  const rows: ParsedRow[] = [];
  try {
    for (const item of source.parse({ scope: 'rcv', period: '2026-10', credentials: OWN }, [answer])) {
      if ('row' in item) rows.push(item.row);
    }
  } catch (error) {
    expect(error).toBeInstanceOf(SourceError);
    expect((error as SourceError).code).toBe('source.unexpected_response');
    return undefined;
  }
  return rows;
};

/** For any input, every row is valid for the scope, with its key. */
const expectSound = (rows: ParsedRow[] | undefined): void => {
  for (const { row } of rows ?? []) {
    const parsed = taxRcv.parsed.parse(row) as RcvRow;
    const isOwn = isIssuedByBuyer(parsed);
    expect(parsed.folio).toBeTruthy();
    expect(isOwn ? parsed.receiver_rut : parsed.issuer_rut).toBeTruthy();
    expect(isOwn ? parsed.issuer_rut : parsed.receiver_rut).toBe(OWN.rut);
  }
};

const anyDoc = fc.constantFrom(...DOCS);
const anyCell = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom('', '-', 'null', null, '0', '-1', '1.234', '1.234.567', '1,5', '31/02/2026', '29/02/2024', '1e9'),
  fc.integer(),
  fc.double(),
);

describe('JSON rows', () => {
  test('any field may hold anything', () => {
    const keys = Object.keys(detailRow(DOCS[0]!));
    const changes = fc.dictionary(fc.constantFrom(...keys), anyCell, { maxKeys: 4 });
    void fc.assert(
      fc.property(anyDoc, changes, (doc, change) => expectSound(parse(json([{ ...detailRow(doc), ...change }])))),
      { numRuns: runs(500) },
    );
  });

  test('any field may be gone: rows without their key, date or amounts are refused', () => {
    const needed = [
      'detNroDoc',
      'detRutDoc',
      'detDvDoc',
      'detFchDoc',
      'detMntNeto',
      'detMntExe',
      'detMntIVA',
      'detMntTotal',
    ];
    const keys = Object.keys(detailRow(DOCS[0]!));
    void fc.assert(
      fc.property(anyDoc, fc.constantFrom(...keys), (doc, key) => {
        const { [key as 'detNroDoc']: _, ...row } = detailRow(doc);
        const rows = parse(json([row]));
        expect(rows === undefined).toBe(needed.includes(key));
        expectSound(rows);
      }),
    );
  });

  test('amounts keep their sign and every digit, as number or text', () => {
    const amount = fc.maxSafeInteger();
    void fc.assert(
      fc.property(amount, fc.boolean(), (value, asText) => {
        const row = { ...detailRow(DOCS[0]!), detMntNeto: asText ? String(value) : value };
        expect(parse(json([row]))?.[0]?.row.net_amount).toBe(String(value === 0 ? 0 : value));
      }),
    );
  });

  test('any JSON and any bytes', () => {
    void fc.assert(fc.property(fc.jsonValue(), (value) => expectSound(parse(json(value)))));
    void fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expectSound(parse({ ...json([]), body: bytes }));
        expectSound(parse(file(bytes)));
      }),
    );
  });
});

describe('CSV', () => {
  const amountOf = ({ net, exempt, vat, total }: Doc) => [net, exempt, vat, total].map(String);
  const amountsIn = (rows: ParsedRow[] | undefined) =>
    rows?.map(({ row }) => [row.net_amount, row.exempt_amount, row.vat_amount, row.total_amount]);

  test('every document comes back, however many other taxes it has', () => {
    void fc.assert(
      fc.property(fc.subarray(INVOICES), fc.boolean(), fc.constantFrom('\r\n', '\n'), (docs, withType, lineEnd) => {
        const lines = csvLines(docs, 'COMPRA', 'REGISTRO', withType);
        const rows = parse(file(lines.join(lineEnd)));
        expect(amountsIn(rows)).toEqual(docs.map(amountOf));
        const taxes = rows?.map(({ raw }) => ((raw.otros_impuestos as unknown[] | undefined) ?? []).length);
        expect(taxes).toEqual(docs.map((doc) => Math.max(0, doc.taxes.length - 1)));
      }),
      { numRuns: runs(50) },
    );
  });

  test('cut anywhere: whole documents or a refusal, never a shifted one', () => {
    const docs = INVOICES.slice(0, 6);
    const text = csvLines(docs, 'COMPRA', 'REGISTRO', true).join('\r\n');
    const known = new Set(docs.map((doc) => amountOf(doc).join()));
    void fc.assert(
      fc.property(fc.nat(text.length), (length) => {
        for (const amounts of amountsIn(parse(file(text.slice(0, length)))) ?? [])
          expect(known).toContain(amounts.join());
      }),
    );
  });

  test('characters changed, inserted or removed', () => {
    const text = csvLines(INVOICES.slice(0, 6), 'COMPRA', 'REGISTRO', true).join('\r\n');
    const edit = fc.record({
      at: fc.nat(text.length),
      drop: fc.nat(3),
      put: fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom(';', '\r\n', '"', '-', '.', 'ñ', '\0', ';;')),
    });
    void fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
        let changed = text;
        for (const { at, drop, put } of edits) changed = changed.slice(0, at) + put + changed.slice(at + drop);
        expectSound(parse(file(changed)));
      }),
      { numRuns: runs(400) },
    );
  });
});
