import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DigitReader, DigitWriter } from '#shared/rows/packed-digits.ts';

const hex = fc.array(fc.constantFrom(...'0123456789abcdef'), { maxLength: 40 }).map((digits) => digits.join(''));
const told = fc.oneof(
  fc.record({ kind: fc.constant('number' as const), value: fc.maxSafeNat() }),
  fc.record({ kind: fc.constant('difference' as const), value: fc.integer({ min: -4e12, max: 4e12 }) }),
  fc.record({ kind: fc.constant('hex' as const), value: hex }),
);

test('whatever is written is read again, in its order', () => {
  fc.assert(
    fc.property(fc.array(told), (list) => {
      const writer = new DigitWriter();
      for (const one of list)
        if (one.kind === 'hex') writer.hex(one.value);
        else writer[one.kind](one.value);
      const reader = new DigitReader(writer.bytes());
      expect(list.map(({ kind }) => reader[kind]())).toEqual(list.map(({ value }) => value));
    }),
  );
});

test('a number below eight takes half a byte', () => {
  const writer = new DigitWriter();
  for (let n = 0; n < 8; n++) writer.number(n);
  expect(writer.bytes()).toHaveLength(4);
  expect(writer.number(8).bytes()).toHaveLength(5);
});

test('bytes that end too early are refused', () => {
  const reader = new DigitReader(new DigitWriter().hex('abc').bytes().subarray(0, 1));
  expect(() => reader.hex()).toThrow(RangeError);
});
