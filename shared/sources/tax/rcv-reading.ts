/** What the request of a kept answer says of its rows, and what is tallied while they are read. */

import { ESTADOS, type RcvRow } from '#shared/scopes/tax-rcv.ts';
import { addMonths } from '#shared/values/dates.ts';
import { type RawAnswer, SourceError } from '../source.ts';
import { type DistinctRows, distinctRows } from '../truth/distinct-keys.ts';
import { createOddLines, type OddLines } from '../truth/odd-lines.ts';
import { createSum, type Sum } from '../truth/totals.ts';
import type { KeyWatch } from '../truth/watch-keys.ts';
import type { Reading } from './rcv-row.ts';
import type { Figure } from './rcv-summary.ts';

const unexpected = (what: string, why: string): SourceError =>
  new SourceError('source.unexpected_response', `${what}: ${why}`);

export const readingOf = (company: string, answer: Pick<RawAnswer, 'key' | 'request'>): Reading => {
  const { operacion, ptributario, codTipoDoc } = answer.request;
  if (operacion !== 'COMPRA' && operacion !== 'VENTA') throw unexpected(answer.key, 'neither purchases nor sales');
  const month = /^(\d{4})(0[1-9]|1[0-2])$/.exec(String(ptributario));
  if (!month) throw unexpected(answer.key, 'no period in the request');
  const type = String(codTipoDoc ?? '').trim();
  return {
    own: company,
    period: `${month[1]}-${month[2]}`,
    operation: operacion,
    estado: estadoOf(answer),
    // 0 asks the Export methods for all types at once (tax.md §4).
    askedType: type === '' || type === '0' ? null : type,
  };
};

const estadoOf = ({ key, request }: Pick<RawAnswer, 'key' | 'request'>): RcvRow['estado'] => {
  if (request.operacion === 'VENTA') return 'registro';
  const estado = ESTADOS.find((name) => name === String(request.estadoContab ?? '').toLowerCase());
  if (estado === undefined) throw unexpected(key, 'no accounting state in the request');
  return estado;
};

/** "purchases (registro)": for messages. */
export const bookInWords = ({ operation, estado }: Pick<Reading, 'operation' | 'estado'>): string =>
  operation === 'COMPRA' ? `purchases (${estado})` : 'sales';

/** What one answer with rows came to, as far as it was read. */
export interface RowTally {
  /** Different documents. */
  readonly documents: DistinctRows;
  readonly sums: Readonly<Record<Figure, Sum>>;
  readonly odd: OddLines;
  readonly watch: KeyWatch;
  /** Lines read. */
  lines: number;
  /** Characters that could not be read. */
  damaged: number;
  /** Was any of them issued in the month that was asked for? */
  hasOwnMonth: boolean;
  /** False for a copy. Throws for a row that cannot be of the register that was asked for, or not beside the others. */
  take(row: RcvRow, line: number): boolean;
}

export const tallyRows = (reading: Reading, answerKey: string, watch: KeyWatch): RowTally => {
  const nextMonth = addMonths(reading.period, 1);
  const { own, askedType, period } = reading;
  const tally: RowTally = {
    documents: distinctRows('a document'),
    sums: { exempt: createSum(), net: createSum(), VAT: createSum(), total: createSum() },
    odd: createOddLines(answerKey),
    watch,
    lines: 0,
    damaged: 0,
    hasOwnMonth: false,
    take: (row, line) => {
      const { document_type: type, folio, issuer_rut, receiver_rut, issued_at } = row;
      const refuse = (why: string) => unexpected(`${answerKey}, row ${line}`, why);
      if (askedType !== null && type !== askedType) throw refuse('is of another document type than was asked for');
      // A document may be registered months after it was issued, and never before.
      if (issued_at !== null && issued_at >= nextMonth) throw refuse('was issued after the month that was asked for');
      if (issued_at?.startsWith(period)) tally.hasOwnMonth = true;
      const key = `${type}|${issuer_rut === own ? receiver_rut : issuer_rut}|${folio}`;
      // A document that is shown twice is one document.
      if (!tally.documents.take(key, row, answerKey, line)) return false;
      tally.sums.exempt.add(row.exempt_amount ?? '0');
      tally.sums.net.add(row.net_amount ?? '0');
      tally.sums.VAT.add(row.vat_amount ?? '0');
      tally.sums.total.add(row.total_amount ?? '0');
      return true;
    },
  };
  return tally;
};

/** Documents that an answer stands for: a line that could not be read counts as one. */
export const documentsIn = ({ documents, odd }: RowTally): number => documents.size + odd.count;
