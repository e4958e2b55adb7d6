import { Big } from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSum } from '#shared/values/decimal-sum.ts';

const amount = fc.oneof(
  fc.integer().map(String),
  fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }).map(String),
  fc.tuple(fc.integer(), fc.integer({ min: 0, max: 999_999 })).map(([whole, rest]) => `${whole}.${rest}`),
  fc.constantFrom('9007199254740991', '9007199254740', '0.1', '-0.1', '0', '-1', '999999999999999'),
);

test('a sum is exact, for any amounts', () => {
  fc.assert(
    fc.property(fc.array(amount, { maxLength: 40 }), (amounts) => {
      const sum = createSum();
      for (const each of amounts) sum.add(each);
      expect(sum.value().toFixed()).toBe(amounts.reduce((all, each) => all.plus(each), Big(0)).toFixed());
    }),
  );
});

test('a part of a unit is not lost next to a sum that a number still holds exactly', () => {
  const sum = createSum();
  for (let i = 0; i < 9; i++) sum.add('999999999999999');
  sum.add('0.1');
  expect(sum.value().toFixed()).toBe('8999999999999991.1');
});
