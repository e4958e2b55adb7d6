import { describe, expect, test } from 'vitest';
import { createMovementOrdinals, createOrdinals, type MovementIdentity } from '#shared/values/movement-ordinals.ts';

const MOVEMENT: MovementIdentity = {
  numero_cuenta: '001230045607',
  fecha_movimiento: '2026-10-05',
  documento: '77120',
  amount: '-1300000',
};

describe('number among equals', () => {
  test('counts the same values, and each combination by itself', () => {
    const ordinal = createOrdinals();
    expect([ordinal('a', null), ordinal('a', null), ordinal('a', ''), ordinal('a', null)]).toEqual([0, 1, 0, 2]);
  });

  test('values do not run into one another', () => {
    const ordinal = createOrdinals();
    expect([ordinal('a', 'b'), ordinal('ab'), ordinal('a","b'), ordinal('', 'ab')]).toEqual([0, 0, 0, 0]);
  });

  test('begins again with every counter', () => {
    expect([createOrdinals()('a'), createOrdinals()('a')]).toEqual([0, 0]);
  });
});

describe('movements', () => {
  test.each<[string, Partial<MovementIdentity>]>([
    ['the account is spelled otherwise', { numero_cuenta: '0-0123-0045607' }],
    ['the amount has another scale', { amount: '-1300000.00' }],
  ])('are equal although %s', (_what, change) => {
    const ordinal = createMovementOrdinals();
    expect([ordinal(MOVEMENT), ordinal({ ...MOVEMENT, ...change })]).toEqual([0, 1]);
  });

  test.each<[string, Partial<MovementIdentity>]>([
    ['account', { numero_cuenta: '501230000819' }],
    ['day', { fecha_movimiento: '2026-10-06' }],
    ['absence of a day', { fecha_movimiento: null }],
    ['document', { documento: '77121' }],
    ['absence of a document', { documento: null }],
    ['sign', { amount: '1300000' }],
    ['absence of an amount', { amount: null }],
  ])('differ by %s', (_what, change) => {
    const ordinal = createMovementOrdinals();
    expect([ordinal(MOVEMENT), ordinal({ ...MOVEMENT, ...change }), ordinal(MOVEMENT)]).toEqual([0, 0, 1]);
  });
});
