/**
 * Rates of guides keep their scale, row by row: compared with the JSON reader that also knows how a number is written.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '#shared/sources/source.ts';
import { readDetail } from '#shared/sources/tax/guias-detail.ts';
import { runs } from '#test/helpers/effort.ts';
import { answerOf } from './ask.ts';

fc.configureGlobal({ seed: 20_261_121 });

type SourceReviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown;
const parseWithSource = JSON.parse as (text: string, reviver: SourceReviver) => JsonObject;

type Rows = { detalles: JsonObject[] };

/** Each row's rate, by the JSON reader. */
const expected = (text: string): (string | undefined)[] => {
  const rates = new Map<unknown, string>();
  const body = parseWithSource(text, function (key, value, { source }) {
    if (key === 'tasaImptoIVA' && typeof value === 'number') rates.set(this, source!);
    return value;
  });
  return (body.dataResp as Rows).detalles.map((row) => rates.get(row));
};

const actual = (text: string): (string | undefined)[] => {
  const { body, rates } = readDetail(answerOf('detail', {}, text));
  expect(body).toEqual(JSON.parse(text));
  return [...rates];
};

const KEYS = ['"tasaImptoIVA"', '"tasaImptoIV\\u0041"', '"tasa"', '"\\"tasaImptoIVA"', '"x\\\\"', '"tasaImptoIVA "'];
const VALUES = [
  '19.0',
  '19',
  '19.00',
  '-1.50',
  '1e1',
  'null',
  '"19.0"',
  '"tasaImptoIVA"',
  '"\\"tasaImptoIVA\\":5.0"',
  '{"tasaImptoIVA":7.0}',
  '[{"tasaImptoIVA":8.0}]',
];
const entry = fc.tuple(fc.constantFrom(...KEYS), fc.constantFrom('', ' ', '\n'), fc.constantFrom(...VALUES));
const usual = fc.constantFrom('"folio":7,"tasaImptoIVA":19.0', '"tasaImptoIVA" : 10.50', '"folio":8');
const odd = fc
  .array(entry, { maxLength: 3 })
  .map((all) => all.map(([key, gap, value]) => `${key}${gap}:${gap}${value}`).join(','));
const row = fc.oneof({ weight: 3, arbitrary: usual }, { weight: 1, arbitrary: odd }).map((fields) => `{${fields}}`);
const before = fc.constantFrom(
  '',
  '"data":null,',
  '"tasaImptoIVA":3.0,',
  '"dataResp":{"detalles":[{"tasaImptoIVA":4.0}]},',
);

test('any rows, however odd, have the rates they are written with', () => {
  let quick = 0;
  void fc.assert(
    fc.property(before, fc.array(row, { maxLength: 6 }), (head, rows) => {
      const text = `{${head}"dataResp":{"detalles":[${rows.join(',')}]}}`;
      if (rows.length > 1 && expected(text).every((rate) => rate !== undefined)) quick++;
      expect(actual(text)).toEqual(expected(text));
    }),
    { numRuns: runs(1_500) },
  );
  expect(quick).toBeGreaterThan(0);
});

test.each(['', '[]', '{"dataResp":', 'null', '{"dataResp":{"detalles":3}}'])('no rows, no rates: %s', (text) => {
  expect(readDetail(answerOf('detail', {}, text)).rates).toEqual([]);
});
