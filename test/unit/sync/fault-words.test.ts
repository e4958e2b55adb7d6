import { expect, test } from 'vitest';
import { tellFault } from '#shared/sync/task/fault-words.rules.ts';

const LABEL = 'Registro de compras y ventas';

test.each([
  [null, 'login: the tax authority refused RUT or password', `${LABEL}: the tax authority refused RUT or password`],
  ['2026-10', 'getDetalle: no answer in time', `${LABEL}, 2026-10: no answer in time (getDetalle)`],
  ['2026-10', '2026-10: line 4 cannot be read', `${LABEL}, 2026-10: line 4 cannot be read`],
  ['2026-10', 'purchases/33, row 3: folio is missing', `${LABEL}, 2026-10: folio is missing (purchases/33, row 3)`],
  [
    null,
    'Next login attempt at 2026-11-22T10:00:00.000Z.',
    `${LABEL}: Next login attempt at 2026-11-22T10:00:00.000Z.`,
  ],
  [null, 'Not tried: these credentials were refused.', `${LABEL}: Not tried: these credentials were refused.`],
  [null, 'balances, company/1: code 2: "x: y"', `${LABEL}: code 2: "x: y" (balances, company/1)`],
  ['1509-5-L114', 'not every period was synchronized', `${LABEL}, 1509-5-L114: not every period was synchronized`],
])('of %s: %s', (unit, message, told) => {
  expect(tellFault(LABEL, unit, message)).toBe(told);
});
