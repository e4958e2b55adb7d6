/** Amount fields of rows. If a row has several fields of a list, the first field in the list is used. */

/** Fields with amounts of documents and movements, whose sum over rows is meaningful. */
export const SUMMED = ['total_amount', 'amount', 'monto'] as const;

/** All amount fields. The last two are balances and offers, which no page sums. */
export const AMOUNTS = [...SUMMED, 'saldo_contable', 'total_oferta'] as const;

/**
 * Codes of credit notes, whose amounts are positive but are subtracted from the sum of the documents (SII codes,
 * tax.md).
 */
export const CREDIT_NOTES: ReadonlySet<string> = new Set(['60', '61', '106', '112']);
