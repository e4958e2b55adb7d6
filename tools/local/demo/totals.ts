/** Counts and exact sums by period, compared with the institution's counts and sums. */
import Big from 'big.js';
export type LedgerRow = Record<string, string | number | null>;

export interface RowTotals {
  count: number;
  /** Amount field of the rows → exact decimal. */
  sums: Readonly<Record<string, string>>;
}

/** Period (YYYY-MM), or `now` for a scope without periods → totals. */
type ScopeLedger = Readonly<Record<string, RowTotals>>;

/** Scope → totals, as a sandbox's `ledger_url` returns them. */
export type Ledger = Readonly<Record<string, ScopeLedger>>;

/** Key of the totals of a scope without periods. */
export const NOW = 'now';

export interface Compared {
  unit: string;
  ours: RowTotals;
  theirs: RowTotals;
}

const totalsOf = (rows: readonly LedgerRow[], fields: readonly string[]): RowTotals => ({
  count: rows.length,
  sums: Object.fromEntries(
    fields.map((field) => [field, rows.reduce((sum, row) => sum.plus(row[field] ?? 0), Big(0)).toFixed()]),
  ),
});

export const summedFields = (ledger: ScopeLedger): string[] => [
  ...new Set(Object.values(ledger).flatMap(({ sums }) => Object.keys(sums))),
];

/** Returns one entry for each requested period, newest first. `periods` is null when the scope has no periods. */
export const compare = (
  rows: readonly LedgerRow[],
  ledger: ScopeLedger,
  periods: readonly string[] | null,
): Compared[] => {
  const fields = summedFields(ledger);
  const none = totalsOf([], fields);
  return [...(periods ?? [NOW])]
    .sort()
    .reverse()
    .map((unit) => ({
      unit,
      ours: totalsOf(periods === null ? rows : rows.filter(({ period }) => period === unit), fields),
      theirs: { count: ledger[unit]?.count ?? 0, sums: { ...none.sums, ...ledger[unit]?.sums } },
    }));
};

/** Returns pairs of our number and the institution's number, in the order of an output line. */
const pairs = ({ ours, theirs }: Compared): [name: string, ours: string, theirs: string][] => [
  ['rows', String(ours.count), String(theirs.count)],
  ...Object.keys(ours.sums).map((field): [string, string, string] => [
    field,
    ours.sums[field] ?? '0',
    theirs.sums[field] ?? '0',
  ]),
];

export const isEqual = (compared: Compared): boolean =>
  pairs(compared).every(([, ours, theirs]) => Big(ours).eq(theirs));

/**
 * Returns a line such as "2026-10 rows 139 = 139 total_amount 83533551 = 83533551", with `≠` where the numbers differ.
 */
export const formatCompared = (compared: Compared): string =>
  [
    compared.unit.padEnd(NOW.length + 4),
    ...pairs(compared).map(([name, ours, theirs]) => `${name} ${ours} ${Big(ours).eq(theirs) ? '=' : '≠'} ${theirs}`),
  ].join('  ');
