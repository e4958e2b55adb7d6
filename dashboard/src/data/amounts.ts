/** Amount fields of a row. The first one that a row has is used. */

/** Amounts of documents and movements, which can be summed. */
export const SUMMED = ['total_amount', 'amount', 'monto'] as const;

/** Balances and offers are also amounts, but are not summed. */
export const AMOUNTS = [...SUMMED, 'saldo_contable', 'total_oferta'] as const;
