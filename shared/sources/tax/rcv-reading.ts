/**
 * Facts about rows that the request of a stored answer contains, and the counters that are filled while the rows are
 * read.
 */
import { ESTADOS, type RcvRow, taxRcv } from '#shared/scopes/tax-rcv.ts';
import { santiagoPeriod } from '#shared/values/dates.ts';
import { createSum } from '#shared/values/decimal-sum.ts';
import { unexpected } from '../parsing/results.ts';
import type { AnswerPlace } from '../parsing/values.ts';
import type { RawAnswer } from '../source.ts';
import { distinctRows } from '../truth/distinct-keys.ts';
import { createOddLines } from '../truth/odd-lines.ts';
import type { KeyWatch } from '../truth/watch-keys.ts';
import { addAmounts, type DetailTally } from './detail-rows.ts';
import { periodIn } from './kept.ts';
import type { RegisterReading } from './rcv-row.ts';
import { unreadable } from './values.ts';

export const describeRegisterReading = (
  company: string,
  answer: Pick<RawAnswer, 'key' | 'request'>,
): RegisterReading => {
  const { operacion, ptributario, codTipoDoc } = answer.request;
  if (operacion !== 'COMPRA' && operacion !== 'VENTA') throw unexpected(answer.key, 'neither purchases nor sales');
  const period = periodIn(answer.key, ptributario);
  const type = String(codTipoDoc ?? '').trim();
  return {
    own: company,
    period,
    operation: operacion,
    estado: estadoOf(answer),
    // In requests of export methods, 0 means all document types (tax.md §4).
    askedType: type === '' || type === '0' ? null : type,
  };
};

const estadoOf = ({ key, request }: Pick<RawAnswer, 'key' | 'request'>): RcvRow['estado'] => {
  if (request.operacion === 'VENTA') return 'registro';
  const estado = ESTADOS.find((name) => name === String(request.estadoContab ?? '').toLowerCase());
  if (estado === undefined) throw unexpected(key, 'no accounting state in the request');
  return estado;
};

/** Returns the name of the book for messages, such as "purchases (registro)". */
export const bookInWords = ({ operation, estado }: Pick<RegisterReading, 'operation' | 'estado'>): string =>
  operation === 'COMPRA' ? `purchases (${estado})` : 'sales';

/**
 * Throws when the line is not of the request. The tax authority puts a document into the month of its reception, so a
 * document that is dated after the month is of the month if it was received by then (tax.md §4.3).
 */
export const checkAsked = (row: RcvRow, { askedType, period }: RegisterReading, place: AnswerPlace): void => {
  if (askedType !== null && row.document_type !== askedType)
    throw unreadable(place, 'document', 'is of another document type than was asked for');
  const { received_at } = row;
  if (isDatedAfter(row, period) && received_at && santiagoPeriod(Date.parse(received_at)) > period)
    throw unreadable(place, 'document', 'was issued and received after the month that was asked for');
};

const isDatedAfter = ({ issued_at }: RcvRow, period: string): boolean =>
  issued_at !== null && issued_at.slice(0, period.length) > period;

export interface RowTally extends DetailTally<RcvRow> {
  /** Number of unreadable characters. */
  damaged: number;
  /** True after a document was read whose date is in the requested month, or after it (`checkAsked`). */
  hasOwnMonth: boolean;
  /** Number of documents that are dated after the month and have no reception. */
  unplaced: number;
}

/**
 * Throws when the answer is of a later month: more than half of its documents are dated after the month and have no
 * reception. A single one is a wrong date.
 */
export const checkMonth = ({ answerKey, distinct, unplaced }: RowTally): void => {
  if (unplaced > 1 && unplaced * 2 > distinct.size)
    throw unexpected(
      answerKey,
      `${unplaced} of ${distinct.size} documents are dated after the month that was asked for`,
    );
};

export const tallyRows = ({ period }: RegisterReading, answerKey: string, watch: KeyWatch): RowTally => {
  const tally: RowTally = {
    ...{ answerKey, watch, lines: 0, damaged: 0, hasOwnMonth: false, unplaced: 0 },
    distinct: distinctRows('a document'),
    sums: { exempt: createSum(), net: createSum(), VAT: createSum(), total: createSum() },
    odd: createOddLines(answerKey),
    take: (row, line) => {
      const { issued_at } = row;
      if (issued_at !== null && issued_at >= period) tally.hasOwnMonth = true;
      // A document that is listed twice counts as one document.
      if (!tally.distinct.take(taxRcv.naturalKey(row).join('|'), row, answerKey, line)) return false;
      if (isDatedAfter(row, period) && !row.received_at) tally.unplaced++;
      addAmounts(tally.sums, row);
      return true;
    },
  };
  return tally;
};
