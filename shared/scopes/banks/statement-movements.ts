/**
 * Account movements of banks whose answers contain no movement id, read from an open (provisional) or closed statement.
 * A movement is identified by account, date, document, signed amount and a counter for equal movements (decisions.md
 * §5). Text and balance are excluded, because they differ between open and closed statements.
 */
import * as z from 'zod';
import { canonicalDecimal } from '#shared/values/decimals.ts';
import { day, decimal, period, text, uuid } from '#shared/values/fields.ts';
import { accountKey } from '#shared/values/statements.ts';
import { DIRECTIONS, defineScope, direction, eachRow, listFilters, periodicSyncMetadata } from '../scope.ts';

export const TIPOS = ['C', 'A'] as const;
export const tipo = () => z.enum(TIPOS).describe('C: charge (money out), A: credit (money in).');

const listed = (currencyNote: string) => ({
  period: period(),
  numero_cuenta: text().min(1),
  currency: text().nullable().describe(currencyNote),
  fecha_movimiento: day().nullable(),
  descripcion: text().nullable(),
  documento: text().nullable().describe('Document number without leading zeros.'),
  amount: decimal().nullable().describe('Signed: charges negative, credits positive.'),
  saldo_contable: decimal().nullable().describe('Balance after the movement.'),
  tipo: tipo(),
  direction: direction().describe('received: credit, issued: charge.'),
});

/**
 * Fields that differ between the parser's row and the list row. The API does not return `ordinal` and `provisional`.
 */
const hidden = {
  /** If an answer does not contain this field, the stored text stays. */
  descripcion: text().nullable().optional(),
  /** Counter among rows of the same account, date, document and amount, from 0 for the oldest. */
  ordinal: z.int().min(0),
  /** True if the statement is still open. */
  provisional: z.boolean(),
};

export type StatementRow = z.infer<z.ZodObject<Omit<ReturnType<typeof listed>, keyof typeof hidden> & typeof hidden>>;

/** Returns the amount without its sign, or null for incoming money. */
const chargeOf = (amount: string | null): string | null => (amount?.startsWith('-') ? amount.slice(1) : null);
const creditOf = (amount: string | null): string | null => (amount?.startsWith('-') ? null : amount);

export const defineStatementMovements = <const S extends string>(source: S, currencyNote: string) =>
  defineScope({
    source,
    name: 'movements',
    label: 'Movimientos',
    resource: `${source}-movements`,
    periodic: true,
    parsed: z.object({ ...listed(currencyNote), ...hidden }),
    listRow: z.object({ id: uuid(), ...listed(currencyNote) }),
    fullRow: null,
    naturalKey: (row) => {
      const { period, numero_cuenta, fecha_movimiento, documento, amount, ordinal } = row;
      const signed = amount === null ? '' : canonicalDecimal(amount);
      return [period, accountKey(numero_cuenta), fecha_movimiento ?? '', documento ?? '', signed, String(ordinal)];
    },
    /** Amount and day are part of the key. Text, balance and currency differ between open and closed statements. */
    walk: { account: 'numero_cuenta', amount: 'amount', balance: 'saldo_contable' },
    isShownIn: 'month',
    eventDay: (row) => row.fecha_movimiento,
    eventInstant: () => null,
    facets: { direction: DIRECTIONS },
    statement: (row) => ({
      account: accountKey(row.numero_cuenta),
      isOpen: row.provisional,
    }),
    totals: {
      fields: ['numero_cuenta', 'amount'],
      groupOf: (row) => ({ numero_cuenta: accountKey(row.numero_cuenta) }),
      figures: {
        rows: eachRow,
        charges: (row) => chargeOf(row.amount),
        credits: (row) => creditOf(row.amount),
        closing: (row) => row.amount,
      },
      account: 'numero_cuenta',
      beginsWith: { closing: 'opening' },
    },
    filters: listFilters('`fecha_movimiento`', { direction: direction().optional() }),
    syncMetadata: periodicSyncMetadata,
    agent: {
      columns: [
        'id',
        'period',
        'numero_cuenta',
        'currency',
        'fecha_movimiento',
        'descripcion',
        'documento',
        'amount',
        'saldo_contable',
        'tipo',
        'direction',
      ],
      sums: ['amount'],
      groups: ['numero_cuenta', 'currency', 'direction'],
    },
    document: null,
  });
