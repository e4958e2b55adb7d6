/** What the institution holds, for comparison with what a sync stored. Exact: whole pesos well below 2^53. */
import type { Doc } from './document.ts';
import type { Register } from './register.ts';

export interface Tally {
  count: number;
  sums: { net_amount: string; exempt_amount: string; vat_amount: string; total_amount: string };
}

export interface PeriodTally extends Tally {
  /** `received.registro`, `issued.registro`, … */
  by: Record<string, Tally>;
}

export interface Ledger {
  rcv: Record<string, PeriodTally>;
}

const tally = (docs: readonly Doc[]): Tally => {
  const sum = (field: 'net' | 'exempt' | 'vat' | 'total') => String(docs.reduce((total, doc) => total + doc[field], 0));
  return {
    count: docs.length,
    sums: {
      net_amount: sum('net'),
      exempt_amount: sum('exempt'),
      vat_amount: sum('vat'),
      total_amount: sum('total'),
    },
  };
};

const bookOf = (doc: Doc): string =>
  `${doc.operation === 'COMPRA' ? 'received' : 'issued'}.${doc.estado.toLowerCase()}`;

/** Documents only: monthly totals of boletas are no rows of the register (tax.md §6.1). */
export const ledgerOf = (register: Register, company: string, period?: string): Ledger => {
  const periods = period === undefined ? register.periods() : [period];
  const rcv: Record<string, PeriodTally> = {};
  for (const month of periods) {
    const docs = register.documents(company, month);
    const books = Object.groupBy(docs, bookOf);
    const by = Object.fromEntries(Object.entries(books).map(([book, list]) => [book, tally(list ?? [])]));
    rcv[month] = { ...tally(docs), by };
  }
  return { rcv };
};
