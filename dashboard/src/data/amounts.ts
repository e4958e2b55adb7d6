/** Fields that say how much a row is about. The first that a row has is the one. */

/** Of a document or a movement: they have a sum. */
export const SUMMED = ['total_amount', 'amount', 'monto'] as const;

/** A balance and an offer say how much too, but nobody adds them up. */
export const AMOUNTS = [...SUMMED, 'saldo_contable', 'total_oferta'] as const;
