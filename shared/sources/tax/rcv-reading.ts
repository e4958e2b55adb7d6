/**
 * Facts about rows that the request of a stored answer contains, and the counters that are filled while the rows are
 * read.
 */
import { ESTADOS, type RcvRow } from '#shared/scopes/tax-rcv.ts';
import { addMonths } from '#shared/values/dates.ts';
import { createSum } from '#shared/values/decimal-sum.ts';
import { unexpected } from '../parsing/results.ts';
import type { RawAnswer } from '../source.ts';
import { distinctRows } from '../truth/distinct-keys.ts';
import { createOddLines } from '../truth/odd-lines.ts';
import type { KeyWatch } from '../truth/watch-keys.ts';
import { addAmounts, type DetailTally } from './detail-rows.ts';
import { periodIn } from './kept.ts';
import type { RegisterReading } from './rcv-row.ts';

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

export interface RowTally extends DetailTally<RcvRow> {
  /** Number of unreadable characters. */
  damaged: number;
  /** True after a document was read that was issued in the requested month. */
  hasOwnMonth: boolean;
}

export const tallyRows = (reading: RegisterReading, answerKey: string, watch: KeyWatch): RowTally => {
  const nextMonth = addMonths(reading.period, 1);
  const { own, askedType, period } = reading;
  /**
   * Throws when a document is of another type, or was issued after the month: a document may be registered months after
   * it was issued, but never before.
   */
  const checkAsked = ({ document_type: type, issued_at }: RcvRow, line: number): void => {
    const reject = (why: string) => unexpected(`${answerKey}, row ${line}`, why);
    if (askedType !== null && type !== askedType) throw reject('is of another document type than was asked for');
    if (issued_at !== null && issued_at >= nextMonth) throw reject('was issued after the month that was asked for');
  };
  const tally: RowTally = {
    ...{ answerKey, watch, lines: 0, damaged: 0, hasOwnMonth: false },
    distinct: distinctRows('a document'),
    sums: { exempt: createSum(), net: createSum(), VAT: createSum(), total: createSum() },
    odd: createOddLines(answerKey),
    take: (row, line) => {
      const { document_type: type, folio, issuer_rut, receiver_rut, issued_at } = row;
      checkAsked(row, line);
      if (issued_at?.startsWith(period)) tally.hasOwnMonth = true;
      const key = `${type}|${issuer_rut === own ? receiver_rut : issuer_rut}|${folio}`;
      // A document that is listed twice counts as one document.
      if (!tally.distinct.take(key, row, answerKey, line)) return false;
      addAmounts(tally.sums, row);
      return true;
    },
  };
  return tally;
};
