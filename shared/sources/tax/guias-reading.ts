/** What the request of a kept answer says of its guides, and what is tallied while they are read. */
import type { GuiaRow } from '#shared/scopes/tax-guias.ts';
import { type RawAnswer, SourceError } from '../source.ts';
import { type DistinctRows, distinctRows } from '../truth/distinct-keys.ts';
import { createOddLines, type OddLines } from '../truth/odd-lines.ts';
import { createSum, type Sum } from '../truth/totals.ts';
import type { KeyWatch } from '../truth/watch-keys.ts';
import { type Direction, OPERATIONS } from './guias-request.ts';
import type { Figure } from './rcv-summary.ts';

/** What the request of an answer, not its rows, decides (tax.md §7.3). */
export interface Reading {
  period: string;
  direction: Direction;
  type: string | null;
  refNCD: string;
}

const unexpected = (what: string, why: string): SourceError =>
  new SourceError('source.unexpected_response', `${what}: ${why}`);

export const readingOf = ({ key, request }: Pick<RawAnswer, 'key' | 'request'>): Reading => {
  const { periodo, operacion, tipoDoc, refNCD } = request;
  const direction = (['issued', 'received'] as const).find((known) => OPERATIONS[known] === String(operacion));
  if (direction === undefined) throw unexpected(key, 'neither issued nor received');
  if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(String(periodo))) throw unexpected(key, 'no period in the request');
  const type = tipoDoc === null || tipoDoc === undefined ? null : String(tipoDoc);
  return { period: String(periodo), direction, type, refNCD: String(refNCD ?? 0) };
};

/** What one answer with guides came to. */
export interface GuideTally {
  /** Different guides. */
  readonly guides: DistinctRows;
  readonly sums: Readonly<Record<Figure, Sum>>;
  readonly odd: OddLines;
  readonly watch: KeyWatch;
  /** Lines read. */
  lines: number;
  /** False for a guide that was taken already. Throws where one guide comes with two contents. */
  take(row: GuiaRow, line: number): boolean;
}

export const tallyGuides = (answerKey: string, watch: KeyWatch): GuideTally => {
  const guides = distinctRows('a guide');
  const sums = { net: createSum(), VAT: createSum(), exempt: createSum(), total: createSum() };
  return {
    guides,
    sums,
    odd: createOddLines(answerKey),
    watch,
    lines: 0,
    take: (row, line) => {
      const key = `${row.counterparty_rut}|${row.folio}`;
      if (!guides.take(key, row, answerKey, line)) return false;
      sums.net.add(row.net_amount ?? '0');
      sums.VAT.add(row.vat_amount ?? '0');
      sums.exempt.add(row.exempt_amount ?? '0');
      sums.total.add(row.total_amount ?? '0');
      return true;
    },
  };
};

/** Guides that an answer stands for: a line that could not be read counts as one. */
export const guidesIn = ({ guides, odd }: GuideTally): number => guides.size + odd.count;
