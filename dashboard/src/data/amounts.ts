/** Amount fields of a row. The first field in the list that a row has is used. */

/** Amounts of documents and movements; a sum over rows is meaningful. */
export const SUMMED = ['total_amount', 'amount', 'monto'] as const;

/** Balances and offers are also amounts, but no page sums them. */
export const AMOUNTS = [...SUMMED, 'saldo_contable', 'total_oferta'] as const;
