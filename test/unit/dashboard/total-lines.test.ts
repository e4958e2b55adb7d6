/** Totals: every line equals its rows, and no line has amounts in two currencies. */
import Big from 'big.js';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withCurrencyField } from '../../../dashboard/src/data/account-currencies.ts';
import { CREDIT_NOTES } from '../../../dashboard/src/data/amounts.ts';
import { findResource } from '../../../dashboard/src/data/find-resource.ts';
import type { Row } from '../../../dashboard/src/data/resource.ts';
import { linesFromGroups, rowAdder, type TotalGroup } from '../../../dashboard/src/data/totals/total-lines.ts';

const decimal = fc.tuple(fc.bigInt({ min: -(10n ** 16n), max: 10n ** 16n }), fc.nat(99)).map(([a, b]) => `${a}.${b}`);
const SCOPES = [
  ['tax', 'rcv', ['net_amount', 'exempt_amount', 'vat_amount', 'total_amount'], ['direction', 'estado']],
  ['bankone', 'movements', ['amount'], ['numero_cuenta', 'direction']],
  ['banktwo', 'movements', ['amount'], ['numero_cuenta', 'direction']],
  ['bankone', 'transfers', ['amount'], ['direction']],
  ['bankone', 'nominas', ['num_registros', 'monto'], ['estado']],
] as const;

const anyRow = (sums: readonly string[]): fc.Arbitrary<Row> =>
  fc.record({
    direction: fc.constantFrom('issued', 'received'),
    estado: fc.constantFrom('registro', 'pendiente'),
    document_type: fc.constantFrom('33', '61', '34'),
    numero_cuenta: fc.constantFrom('001', '002'),
    currency: fc.constantFrom('CLP', 'USD', 'CLF'),
    ...Object.fromEntries(sums.map((name) => [name, fc.option(decimal, { nil: null })])),
  });

/** Groups as the API makes them: by the grouping fields, the currency and the document type. */
const groupsOf = (rows: readonly Row[], sums: readonly string[]): TotalGroup[] => {
  const all = Map.groupBy(rows, ({ direction, estado, document_type, numero_cuenta, currency }) =>
    JSON.stringify({ direction, estado, document_type, numero_cuenta, currency }),
  );
  return [...all].map(([key, own]) => ({
    group: JSON.parse(key) as Row,
    rows: own.length,
    is_subtracted: CREDIT_NOTES.has(String((JSON.parse(key) as Row).document_type)),
    sums: Object.fromEntries(
      sums.map((name) => [
        name,
        own.reduce((sum, row) => sum.plus(Big((row[name] as string | null) ?? 0)), Big(0)).toFixed(),
      ]),
    ),
  }));
};

describe.each(SCOPES)('%s %s', (source, scope, sums, grouped) => {
  const resource = scope === 'rcv' ? findResource(source, scope)! : withCurrencyField(findResource(source, scope)!);

  it('adds the rows of one currency, and subtracts credit notes', () => {
    void fc.assert(
      fc.property(fc.array(anyRow(sums), { maxLength: 30 }), (rows) => {
        const adder = rowAdder(resource);
        for (let at = 0; at < rows.length; at += 7) adder.add(rows.slice(at, at + 7));
        const lines = adder.result();
        expect(lines.reduce((count, line) => count + line.rows, 0)).toBe(rows.length);
        for (const line of lines) {
          const own = rows.filter(
            (row) =>
              grouped.every((name) => row[name] === line.group[name]) &&
              String(row.currency).replace('CLF', 'UF') === line.currency,
          );
          expect(own).toHaveLength(line.rows);
          for (const name of sums) {
            const sum = own.reduce((all, row) => {
              const value = Big((row[name] as string | null) ?? 0);
              return CREDIT_NOTES.has(String(row.document_type)) ? all.minus(value) : all.plus(value);
            }, Big(0));
            expect(line.sums?.[name]).toBe(sum.toFixed());
          }
        }
      }),
    );
  });

  it('has the same lines from the groups of the API', () => {
    void fc.assert(
      fc.property(fc.array(anyRow(sums), { maxLength: 30 }), (rows) => {
        const adder = rowAdder(resource);
        adder.add(rows);
        expect(linesFromGroups(resource, groupsOf(rows, sums))).toEqual(adder.result());
      }),
    );
  });
});

it('sums nothing whose currency is unknown, except in one account', () => {
  const group = { rows: 2, sums: { amount: '5' } };
  const lines = (source: string, scope: string, more: Row) =>
    linesFromGroups(withCurrencyField(findResource(source, scope)!), [{ ...group, group: more }]);
  expect(lines('bankone', 'transfers', { direction: 'issued', currency: null })[0]?.sums).toBeNull();
  expect(lines('banktwo', 'movements', { direction: 'issued', numero_cuenta: '1' })[0]).toMatchObject({
    currency: null,
    sums: { amount: '5' },
  });
});

it('counts in pesos where the scope reports no currency', () => {
  const lines = linesFromGroups(findResource('tax', 'guias')!, [
    { group: { direction: 'issued' }, rows: 1, sums: { vat_amount: '19', total_amount: '119' } },
  ]);
  expect(lines).toEqual([
    { group: { direction: 'issued' }, currency: 'CLP', rows: 1, sums: { vat_amount: '19', total_amount: '119' } },
  ]);
});
