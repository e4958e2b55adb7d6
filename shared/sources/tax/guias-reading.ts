/**
 * Facts about guides that the request of a stored answer contains, and the counters that are filled while the guides
 * are read.
 */
import type { GuiaRow } from '#shared/scopes/tax-guias.ts';
import { createSum } from '#shared/values/decimal-sum.ts';
import { unexpected } from '../parsing/results.ts';
import type { RawAnswer } from '../source.ts';
import { distinctRows } from '../truth/distinct-keys.ts';
import { createOddLines } from '../truth/odd-lines.ts';
import type { KeyWatch } from '../truth/watch-keys.ts';
import { addAmounts, type DetailTally } from './detail-rows.ts';
import { type Direction, OPERATIONS } from './guias-request.ts';

/** Facts about the guides that only the request contains, because the rows of the answer lack them (tax.md §7.3). */
export interface GuideReading {
  period: string;
  direction: Direction;
  type: string | null;
  refNCD: string;
}

export const describeGuideReading = ({ key, request }: Pick<RawAnswer, 'key' | 'request'>): GuideReading => {
  const { periodo, operacion, tipoDoc, refNCD } = request;
  const direction = (['issued', 'received'] as const).find((known) => OPERATIONS[known] === String(operacion));
  if (direction === undefined) throw unexpected(key, 'neither issued nor received');
  if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(String(periodo))) throw unexpected(key, 'no period in the request');
  const type = tipoDoc === null || tipoDoc === undefined ? null : String(tipoDoc);
  return { period: String(periodo), direction, type, refNCD: String(refNCD ?? 0) };
};

export type GuideTally = DetailTally<GuiaRow>;

export const tallyGuides = (answerKey: string, watch: KeyWatch): GuideTally => {
  const distinct = distinctRows('a guide');
  const sums = { net: createSum(), VAT: createSum(), exempt: createSum(), total: createSum() };
  return {
    ...{ answerKey, distinct, sums, watch, lines: 0 },
    odd: createOddLines(answerKey),
    take: (row, line) => {
      if (!distinct.take(`${row.counterparty_rut}|${row.folio}`, row, answerKey, line)) return false;
      addAmounts(sums, row);
      return true;
    },
  };
};
