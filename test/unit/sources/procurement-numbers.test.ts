/**
 * Numbers of the API keep the text in which they are written: compared with the JSON reader that also knows this text.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isObject,
  isWrittenObject,
  parseWritten,
  takePart,
  WrittenNumber,
  written,
} from '#shared/sources/procurement/json.ts';
import { withOddNumbersQuoted } from '#shared/sources/procurement/odd-numbers.ts';
import type { JsonObject } from '#shared/sources/source.ts';
import { runs } from '#test/helpers/effort.ts';

fc.configureGlobal({ seed: 20_261_121 });

type SourceReviver = (key: string, value: unknown, context: { source?: string }) => unknown;
const parseWithSource = JSON.parse as (text: string, reviver: SourceReviver) => unknown;

/** The expected value, by the JSON reader. */
const expected = (text: string): unknown =>
  parseWithSource(text, (_, value, { source }) => (typeof value === 'number' ? new WrittenNumber(source!) : value));

/** Every value of an object, and of nested objects. */
const valuesOf = (part: ReturnType<typeof parseWritten>): unknown => {
  if (!isWrittenObject(part)) return part.plain;
  return Object.fromEntries(
    Object.keys(part.plain).map((key) => [
      key,
      isObject(part.plain[key]) ? valuesOf(takePart(part, key)) : written(part, key),
    ]),
  );
};

const number = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(
      fc.nat().map(BigInt),
      fc.bigInt({ min: 10n ** 14n, max: 10n ** 17n }),
      fc.bigInt({ min: 0n, max: 10n ** 22n }),
    ),
    fc.constantFrom('', '.0', '.50', '.123456789012'),
    fc.constantFrom('', '', 'e1', 'E+2', 'e-3'),
  )
  .map((parts) => parts.join(''));
/** Texts that may look like the end of a text or like a number. */
const text = fc
  .array(fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('"', '\\', '\\"', ',1.0,', ':-5', '{', '\u0000')))
  .map((pieces) => JSON.stringify(pieces.join('')));
const leaf = fc.oneof(number, text, fc.constantFrom('true', 'false', 'null'));
const space = fc.constantFrom('', ' ', '\n', '\r\n\t');
const objectOf = (value: fc.Arbitrary<string>) =>
  fc
    .array(fc.tuple(text, space, value, space), { maxLength: 6 })
    .map(
      (entries) =>
        `{${entries.map(([key, before, own, after]) => `${key}${before}:${before}${own}${after}`).join(',')}}`,
    );

const { json } = fc.letrec((tie) => ({
  json: fc.oneof({ depthSize: 'small' }, objectOf(leaf), objectOf(fc.oneof(leaf, tie('json') as fc.Arbitrary<string>))),
})) as { json: fc.Arbitrary<string> };

describe('any JSON', () => {
  test('its numbers are returned as they are written', () => {
    void fc.assert(
      fc.property(json, (source) => {
        const answer = parseWritten(Buffer.from(source));
        expect(answer.plain).toEqual(JSON.parse(source));
        expect(valuesOf(answer)).toEqual(expected(source));
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('what a float prints as written stays a number, what it does not becomes text', () => {
    void fc.assert(
      fc.property(number, (source) => {
        const value = (JSON.parse(withOddNumbersQuoted(`{"n":${source}}`)) as JsonObject).n;
        expect(String(value)).toBe(source);
        if (typeof value === 'number') expect(source).toMatch(/^\d{1,15}$/);
      }),
    );
  });
});

test.each(['', '{', '{"n":01}', '{"n":1.}', '{"n":.5}', '{"n":+1}', '{"n":1e}', "{'n':1}", '{"n":"}'])(
  'what is no JSON is not made to be: %s',
  (source) => expect(parseWritten(Buffer.from(source))).toEqual({ plain: undefined, exact: undefined }),
);
