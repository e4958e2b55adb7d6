/** Counts and sums of rows as the sandbox's ledger gives them, for each scope. */
import Big from 'big.js';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import { taxBoletas } from '#shared/scopes/tax-boletas.ts';
import { taxGuias } from '#shared/scopes/tax-guias.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import type { TaxScope } from '#shared/sources/tax/sandbox/credentials.ts';
import type { PeriodTally, TaxTally } from '#shared/sources/tax/sandbox/ledger.ts';

export const SCOPES: Record<TaxScope, ScopeDefinition> = { rcv: taxRcv, boletas: taxBoletas, guias: taxGuias };

const AMOUNTS = ['net_amount', 'exempt_amount', 'vat_amount', 'total_amount'];
const FIELDS: Record<TaxScope, string[]> = {
  rcv: AMOUNTS,
  boletas: [...AMOUNTS, 'total_documentos'],
  guias: AMOUNTS,
};
const GROUPS: Record<TaxScope, (row: Row) => string> = {
  rcv: ({ direction, estado }) => `${direction}.${estado}`,
  boletas: ({ document_type }) => String(document_type),
  guias: ({ direction }) => String(direction),
};

/** The last row of a document wins, as in the engine. */
export const tallyRows = (scope: TaxScope, rows: readonly Row[]): PeriodTally => {
  const documents = new Map(rows.map((row) => [JSON.stringify(SCOPES[scope].naturalKey(row)), row]));
  const tally = (list: readonly Row[]): TaxTally => ({
    count: list.length,
    sums: Object.fromEntries(
      FIELDS[scope].map((field) => [
        field,
        list.reduce((sum, row) => sum.plus((row[field] ?? 0) as string | number), Big(0)).toFixed(),
      ]),
    ) as TaxTally['sums'],
  });
  const list = [...documents.values()];
  const groups = Object.entries(Object.groupBy(list, GROUPS[scope]));
  return { ...tally(list), by: Object.fromEntries(groups.map(([name, rows = []]) => [name, tally(rows)])) };
};

export const tallyOf = (rows: readonly Row[]): PeriodTally => tallyRows('rcv', rows);
