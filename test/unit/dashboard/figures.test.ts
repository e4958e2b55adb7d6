/** The table of figures: sums join only document types, are exact, and are absent if one part is unknown. */
import Big from 'big.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { accountKey } from '#shared/values/statements.ts';
import { amountText } from '../../../dashboard/src/connections/amount-text.ts';
import { shortGroupWords } from '../../../dashboard/src/connections/coverage-texts.ts';
import { type ApiTotalGroup, arrangeFigures, findDifference } from '../../../dashboard/src/connections/figures.ts';
import { findGroupCurrency, mapGroupCurrencies } from '../../../dashboard/src/connections/group-currency.ts';
import { month } from '../../../dashboard/src/text/month.ts';
import { rutWithDots } from '../../../dashboard/src/text/rut.ts';

const group = (
  of: Record<string, string>,
  figures: Record<string, readonly [string | null, string | null]>,
  verdict: ApiTotalGroup['verdict'] = 'equal',
): ApiTotalGroup => ({
  group: of,
  verdict,
  figures: Object.entries(figures).map(([figure, [institution, ours]]) => ({ figure, institution, ours })),
  rows_not_shown: null,
});

const BOUGHT = { direction: 'received', estado: 'registro' };

it('puts the sum of a section first, with net, exempt, VAT and total in this order; credit notes reduce it', () => {
  const { figures, lines } = arrangeFigures(
    [
      group(
        { ...BOUGHT, document_type: '33' },
        { total_amount: ['2190', '1190'], vat_amount: ['190', '190'], rows: ['1', '1'] },
        'differs',
      ),
      group(
        { direction: 'issued', estado: 'registro', document_type: '34' },
        { rows: ['2', '2'], exempt_amount: ['5', '5'] },
      ),
      group(
        { ...BOUGHT, document_type: '61' },
        { rows: ['1', '1'], vat_amount: ['19', '19'], total_amount: ['119', '119'] },
      ),
    ],
    true,
  );
  expect(figures).toEqual(['rows', 'exempt_amount', 'vat_amount', 'total_amount']);
  expect(lines.map(({ kind, group: of, verdict }) => [kind, of.direction, of.document_type, verdict])).toEqual([
    ['sum', 'received', undefined, 'differs'],
    ['part', 'received', '33', 'differs'],
    ['part', 'received', '61', 'equal'],
    ['single', 'issued', '34', 'equal'],
  ]);
  expect([...lines[0]!.pairs]).toEqual([
    ['rows', { institution: '2', ours: '2' }],
    // No part reports an exempt amount.
    ['exempt_amount', { institution: null, ours: null }],
    ['vat_amount', { institution: '171', ours: '171' }],
    ['total_amount', { institution: '2071', ours: '1071' }],
  ]);
  expect(lines[0]!.hasCreditNotes).toBe(true);
  expect(findDifference(lines[0]!.pairs.get('total_amount')!)).toBe('-1000');
});

it('has no sum if some groups are left out', () => {
  const groups = ['33', '34'].map((type) => group({ ...BOUGHT, document_type: type }, { rows: ['1', '1'] }));
  expect(arrangeFigures(groups, false).lines.map(({ kind }) => kind)).toEqual(['single', 'single']);
  expect(arrangeFigures(groups, true).lines.map(({ kind }) => kind)).toEqual(['sum', 'part', 'part']);
});

it('never adds accounts, whose currencies may differ', () => {
  const groups = ['1', '2', '3'].map((account) => group({ numero_cuenta: account }, { charges: ['1', '1'] }));
  expect(arrangeFigures(groups, true).lines.map(({ kind }) => kind)).toEqual(['single', 'single', 'single']);
});

const amount = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }).map((cents) => Big(`${cents}e-2`).toFixed());
const side = fc.option(amount, { nil: null, freq: 6 });
const anyGroups = fc.uniqueArray(
  fc.record({
    direction: fc.constantFrom('received', 'issued'),
    type: fc.constantFrom('33', '34', '39', '56', '61', '112'),
    institution: side,
    ours: side,
  }),
  { selector: ({ direction, type }) => direction + type, maxLength: 12 },
);

it('sums exactly the amounts of its lines, or shows no sum if one of them is unknown', () => {
  fc.assert(
    fc.property(anyGroups, (all) => {
      const groups = all.map(({ direction, type, institution, ours }) =>
        group({ direction, document_type: type }, { total_amount: [institution, ours] }),
      );
      const { lines } = arrangeFigures(groups, true);
      expect(lines.filter(({ kind }) => kind !== 'sum')).toHaveLength(all.length);
      for (const { group: of, pairs } of lines.filter(({ kind }) => kind === 'sum')) {
        const own = all.filter(({ direction }) => direction === of.direction);
        for (const name of ['institution', 'ours'] as const) {
          const signed = own.map((each) => (each.type === '61' || each.type === '112' ? -1 : 1));
          const isKnown = own.every((each) => each[name] !== null);
          const sum = own.reduce((total, each, at) => total.plus(Big(each[name] ?? 0).times(signed[at]!)), Big(0));
          expect(pairs.get('total_amount')![name]).toBe(isKnown ? sum.toFixed() : null);
        }
      }
    }),
  );
});

it('differs only between two known amounts, whatever their spelling', () => {
  expect(findDifference({ institution: '10.00', ours: '10' })).toBeNull();
  expect(findDifference({ institution: '10.10', ours: '10' })).toBe('-0.1');
  expect(findDifference({ institution: null, ours: '10' })).toBeNull();
  expect(findDifference({ institution: '0', ours: null })).toBeNull();
});

it('shows the currency where it is not the peso, document types in words, and hostile text as text', () => {
  expect([amountText('1234.5', 'USD'), amountText('1234', 'CLP'), amountText('1234', undefined)]).toEqual([
    'USD 1,234.50',
    '1,234',
    '1,234',
  ]);
  expect(shortGroupWords({ constructor: '<b>x</b>' })).toBe('constructor <b>x</b>');
  expect(shortGroupWords({ direction: 'issued', estado: '<b>', document_type: '61' })).toBe(
    'issued · <b> · Electronic credit note',
  );
  expect(shortGroupWords({ numero_cuenta: '00-12' })).toBe('Account 00-12');
  expect(shortGroupWords({})).toBe('The whole month');
});

it('writes months and RUT as people read them', () => {
  expect(['2026-11', '2026-09', '2026-13', 'x'].map(month)).toEqual(['Nov 2026', 'Sep 2026', '2026-13', 'x']);
  expect(['76192083-9', '9999999-k', 'x'].map(rutWithDots)).toEqual(['76.192.083-9', '9.999.999-K', 'x']);
});

it('finds the currency of an account in the spelling of groups, which balances do not have', () => {
  const balances = [
    { numero_cuenta: '007600-000 207', currency: 'CLP' },
    { numero_cuenta: '507600000219', currency: 'USD' },
    // One account in two spellings and currencies: its currency is unknown.
    { numero_cuenta: '0012', currency: 'CLP' },
    { numero_cuenta: '12', currency: 'USD' },
  ];
  const currencies = mapGroupCurrencies(balances);
  const found = (account: string) => findGroupCurrency(currencies, { numero_cuenta: accountKey(account) });
  expect(balances.map(({ numero_cuenta: account }) => found(account))).toEqual(['CLP', 'USD', undefined, undefined]);
  expect(findGroupCurrency(currencies, { numero_nomina: '12' })).toBeUndefined();
});
