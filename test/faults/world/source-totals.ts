/**
 * Totals that the institution reports for its ledger, computed here independently: no sum of the service is used, so
 * that a fault in those sums shows.
 */
import { Big } from 'big.js';
import type { Row } from '#shared/scopes/scope.ts';
import type { Parsed } from '#shared/sources/source.ts';
import { accountKey } from '#shared/values/statements.ts';

const AMOUNTS = ['net_amount', 'vat_amount', 'exempt_amount', 'total_amount'] as const;

type OpeningOf = (account: string) => string;

type Told = Extract<Parsed, { total: unknown } | { wholeTotals: unknown }>;

export const sum = (rows: readonly Row[], field: string): string =>
  rows.reduce((all, row) => all.plus(String(row[field] ?? 0)), Big(0)).toFixed();

const grouped = (rows: readonly Row[], names: readonly string[]): [Record<string, string>, Row[]][] =>
  [...Map.groupBy(rows, (row) => JSON.stringify(names.map((name) => [name, row[name]])))].map(([group, of]) => [
    Object.fromEntries(JSON.parse(group)),
    of,
  ]);

const sums = (rows: readonly Row[], fields: readonly string[]): Record<string, string> =>
  Object.fromEntries(fields.map((field) => [field, sum(rows, field)]));

const ofRegister = (rows: readonly Row[]): Told[] => [
  { wholeTotals: { direction: 'received' } },
  { wholeTotals: { direction: 'issued' } },
  ...grouped(rows, ['direction', 'estado', 'document_type']).map(([group, of]) => ({
    total: { group, figures: { rows: String(of.length), ...sums(of, AMOUNTS) } },
  })),
];

const ofReceipts = (rows: readonly Row[]): Told[] =>
  ['39', '41'].map((document_type) => {
    const of = rows.filter((row) => row.document_type === document_type);
    const figures = sums(of, ['total_documentos', ...AMOUNTS]);
    return { total: { group: { document_type, told_by: 'register' }, figures } };
  });

const ofStatements = (rows: readonly Row[], closed: readonly string[], openingOf: OpeningOf): Told[] =>
  closed.map((account) => {
    const of = rows.filter(({ numero_cuenta }) => numero_cuenta === account);
    const opening = openingOf(account);
    const closing = Big(opening).plus(sum(of, 'amount')).toFixed();
    const figures = { rows: String(of.length), opening, closing };
    return { total: { group: { numero_cuenta: accountKey(account) }, figures } };
  });

/**
 * @param closed accounts whose statement of the month is closed
 * @param openingOf the balance with which an account begins the month
 */
export const toldTotals = (
  scope: string,
  rows: readonly Row[],
  closed: readonly string[],
  openingOf: OpeningOf,
): Told[] => {
  if (scope === 'rcv') return ofRegister(rows);
  if (scope === 'boletas') return ofReceipts(rows);
  return scope === 'movements' ? ofStatements(rows, closed, openingOf) : [];
};
