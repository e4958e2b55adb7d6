/**
 * Compares the totals that a source reports for a month with the sums of the stored rows, by group and figure, as exact
 * decimals (decisions.md §5 "Completeness"). If our amount is null, it counts as 0; if the source's figure is null, it
 * counts as not reported. Differences of one group never offset differences of another group. Pure.
 */
import { Big } from 'big.js';
import type { Row, TotalsDefinition } from '#shared/scopes/scope.ts';
import { createSum, type Sum } from '#shared/values/decimal-sum.ts';
import type { ToldTotal, ToldTotals, TotalGroup } from '#shared/values/source-totals.ts';

/** `not_told`: there was nothing to compare. */
export type TotalsVerdict = 'equal' | 'differs' | 'not_told';

export interface ComparedFigure {
  figure: string;
  /** The institution's figure, as a plain decimal. Null if the source does not report the figure. */
  institution: string | null;
  /** The sum of the stored rows, as a plain decimal. Null if the figure is not compared. */
  ours: string | null;
}

/** Stored rows of a group that the source no longer shows. */
export interface RowsNotShown {
  rows: number;
  /** Ids of the first rows that are not shown. */
  ids: readonly string[];
}

export interface ComparedGroup {
  group: TotalGroup;
  verdict: TotalsVerdict;
  figures: readonly ComparedFigure[];
  notShown?: RowsNotShown;
}

export interface PeriodTotals {
  verdict: TotalsVerdict;
  /** Groups that differ come first. */
  groups: readonly ComparedGroup[];
  /** Number of groups that are not in `groups`. */
  leftOut: number;
}

/** A figure that differs. */
export interface Difference {
  group: TotalGroup;
  figure: string;
  institution: string;
  ours: string;
}

const ROWS = 'rows';

/** Limits of the listed details. Verdicts cover all groups and rows. */
export interface ListedMax {
  groups: number;
  /** Ids per group of rows that the source no longer shows. */
  ids: number;
}

/** A row that is stored or about to be stored. */
export interface CountedRow {
  id: string;
  /** The amounts in the form that `packAmounts` returns. */
  amounts: string;
  /** True if the source shows the row now. */
  isShown: boolean;
}

const SEPARATOR = ',';

/**
 * Packs the amounts and the group of a row into one string, since a month can have 100,000 rows:
 * `1,100840,19160,0,120000{"direction":…}`. If an amount is missing, its text is empty.
 */
export const packAmounts = ({ groupOf, figures }: TotalsDefinition, row: Row): string => {
  const amounts = Object.values(figures).map((amountOf) => {
    const amount = amountOf(row);
    return amount === undefined ? '' : (amount ?? '0');
  });
  return amounts.join(SEPARATOR) + JSON.stringify(groupOf(row));
};

/** Returns packed amounts that are all missing, for a stored row that could not be read. */
export const unknownAmounts = ({ figures }: TotalsDefinition, group: TotalGroup): string =>
  SEPARATOR.repeat(Object.keys(figures).length - 1) + JSON.stringify(group);

/** Returns the amounts, and the group as JSON. */
const unpackAmounts = (packed: string): [amounts: string[], group: string] => {
  const end = packed.indexOf('{');
  return [packed.slice(0, end).split(SEPARATOR), packed.slice(end)];
};

export const readGroup = (packed: string): TotalGroup => JSON.parse(unpackAmounts(packed)[1]) as TotalGroup;

const NO_AMOUNT = /^[,{]|,[,{]/;

/** True if the answer may lack an amount that is stored. A false alarm costs only a useless read. */
export const lacksAmounts = (packed: string): boolean => NO_AMOUNT.test(packed);

/** Sums of the rows of one group. */
interface TotalsBucket {
  group: TotalGroup;
  /** Sum by figure. Null if an amount of some row is unknown. */
  sums: Map<string, Sum | null>;
  notShown: { rows: number; ids: string[] };
}

const keyOf = (group: TotalGroup): string => JSON.stringify(Object.entries(group).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Adds up rows by group. */
export const sumByGroup = (
  definition: TotalsDefinition,
  rows: Iterable<CountedRow>,
  idsMax: number,
): TotalsBucket[] => {
  const names = Object.keys(definition.figures);
  const buckets = new Map<string, TotalsBucket>();
  for (const { id, amounts: text, isShown } of rows) {
    const [amounts, group] = unpackAmounts(text);
    const bucket = buckets.get(group) ?? newBucket(JSON.parse(group) as TotalGroup, names);
    buckets.set(group, bucket);
    for (const [at, name] of names.entries()) {
      const amount = amounts[at]!;
      if (amount === '') bucket.sums.set(name, null);
      else bucket.sums.get(name)?.add(amount);
    }
    if (isShown) continue;
    bucket.notShown.rows++;
    if (bucket.notShown.ids.length < idsMax) bucket.notShown.ids.push(id);
  }
  return [...buckets.values()];
};

const newBucket = (group: TotalGroup, names: readonly string[]): TotalsBucket => ({
  group,
  sums: new Map(names.map((name) => [name, createSum()])),
  notShown: { rows: 0, ids: [] },
});

/**
 * True if the rows with the group values `rows` belong to the group `part`. Only names that both groups have are
 * compared.
 */
export const isIn = (rows: TotalGroup, part: TotalGroup): boolean =>
  Object.entries(part).every(([name, value]) => rows[name] === undefined || rows[name] === value);

/** Returns the sum of a figure over the buckets, or null if an amount is unknown. */
export const sumOver = (buckets: readonly TotalsBucket[], figure: string): Big | null => {
  let sum = Big(0);
  for (const { sums } of buckets) {
    const of = sums.get(figure);
    if (!of) return null;
    sum = sum.plus(of.value());
  }
  return sum;
};

const isOther = ({ institution, ours }: ComparedFigure): boolean =>
  institution !== null && ours !== null && !Big(institution).eq(ours);

export const compareFigures = (figures: readonly ComparedFigure[]): TotalsVerdict => {
  if (figures.some(isOther)) return 'differs';
  return figures.some(({ institution, ours }) => institution !== null && ours !== null) ? 'equal' : 'not_told';
};

const verdictOver = (groups: readonly ComparedGroup[]): TotalsVerdict => {
  if (groups.some(({ verdict }) => verdict === 'differs')) return 'differs';
  return groups.some(({ verdict }) => verdict === 'equal') ? 'equal' : 'not_told';
};

const comparedGroup = (
  { beginsWith = {}, figures: known }: TotalsDefinition,
  { group, figures: told, isListedOnly }: ToldTotal,
  buckets: readonly TotalsBucket[],
  idsMax: number,
): ComparedGroup => {
  const oursOf = (figure: string): string | null => {
    if (isListedOnly || known[figure] === undefined) return null;
    const sum = sumOver(buckets, figure);
    const first = beginsWith[figure];
    if (first === undefined || sum === null) return sum?.toFixed() ?? null;
    const begin = told[first] ?? null;
    return begin === null ? null : sum.plus(begin).toFixed();
  };
  const figures = Object.entries(told).map(([figure, institution]) => ({ figure, institution, ours: oursOf(figure) }));
  const gone = isListedOnly ? [] : buckets.map(({ notShown }) => notShown);
  const rows = gone.reduce((all, one) => all + one.rows, 0);
  const ids = gone.flatMap((one) => one.ids).slice(0, idsMax);
  return { group, verdict: compareFigures(figures), figures, ...(rows > 0 ? { notShown: { rows, ids } } : {}) };
};

const NOTHING = '0';

/**
 * Returns the totals of zero that follow from completely reported parts: one for each stored group that the source does
 * not name, and one for each part without any group.
 */
const untold = (definition: TotalsDefinition, told: ToldTotals, buckets: readonly TotalsBucket[]): ToldTotal[] => {
  const named = new Set(told.totals.map(({ group }) => keyOf(group)));
  const left = buckets
    .filter(({ group }) => !named.has(keyOf(group)) && told.whole.some((part) => isIn(group, part)))
    .map(({ group }) => group);
  const none = told.whole.filter((part) => ![...told.totals, ...buckets].some(({ group }) => isIn(group, part)));
  const ofNothing = Object.fromEntries(Object.keys(definition.figures).map((figure) => [figure, NOTHING]));
  return [
    ...left.map((group) => ({ group, figures: ofNothing })),
    ...none.map((group) => ({ group, figures: { [ROWS]: NOTHING } })),
  ];
};

const ORDER: Readonly<Record<TotalsVerdict, number>> = { differs: 0, equal: 1, not_told: 2 };

export const listed = (groups: readonly ComparedGroup[], groupsMax: number): PeriodTotals => {
  const ordered = groups.toSorted((a, b) => ORDER[a.verdict] - ORDER[b.verdict]);
  const shown = ordered.slice(0, groupsMax);
  return { verdict: verdictOver(groups), groups: shown, leftOut: groups.length - shown.length };
};

/**
 * Compares the source's totals with the sums of the rows, group by group.
 * @param rows rows of the month as stored: the rows of this reading, and stored rows that the source no longer shows
 */
export const compareWithTotals = (
  definition: TotalsDefinition,
  told: ToldTotals,
  rows: Iterable<CountedRow>,
  max: ListedMax,
): PeriodTotals => {
  const buckets = sumByGroup(definition, rows, max.ids);
  const totals = [...told.totals, ...untold(definition, told, buckets)];
  const groups = totals.map((total) =>
    comparedGroup(
      definition,
      total,
      buckets.filter(({ group }) => isIn(group, total.group)),
      max.ids,
    ),
  );
  return listed(groups, max.groups);
};

/** True if the source's totals may include rows with these known group values. */
export const isTold = ({ totals, whole }: ToldTotals, known: TotalGroup): boolean =>
  [...totals.map(({ group }) => group), ...whole].some((part) => isIn(known, part));

/** True if other totals split the group of this total further. */
const isOfGroupsToo = ({ totals }: ToldTotals, { group }: ToldTotal): boolean =>
  totals.some(
    (other) =>
      keyOf(other.group) !== keyOf(group) && Object.keys(group).every((name) => other.group[name] === group[name]),
  );

/**
 * Compares only the overall number of rows, and lists the source's other figures without comparison. Used if the stored
 * rows that the source no longer shows are too many to read one by one.
 * @param rows rows of this reading
 * @param notShown number of stored rows that are not in this reading
 */
export const compareRowsAlone = (
  definition: TotalsDefinition,
  told: ToldTotals,
  { rows, notShown }: { rows: Iterable<CountedRow>; notShown: number },
  max: ListedMax,
): PeriodTotals => {
  const counted = told.totals.filter((total) => !total.isListedOnly && !isOfGroupsToo(told, total));
  const counts = counted.map(({ figures }) => figures[ROWS] ?? null);
  const isCounted = definition.figures[ROWS] !== undefined && counts.every((count) => count !== null);
  const institution = isCounted ? counts.reduce((all, count) => all.plus(count!), Big(0)).toFixed() : null;
  const shown = sumOver(
    sumByGroup(definition, rows, 0).filter(({ group }) => isTold(told, group)),
    ROWS,
  );
  const figures = [{ figure: ROWS, institution, ours: shown?.plus(notShown).toFixed() ?? null }];
  const all = { group: {}, verdict: compareFigures(figures), figures, notShown: { rows: notShown, ids: [] } };
  const alone = told.totals.map(({ group, figures: theirs }): ComparedGroup => {
    const only = Object.entries(theirs).map(([figure, amount]) => ({ figure, institution: amount, ours: null }));
    return { group, verdict: 'not_told', figures: only };
  });
  return listed([all, ...alone], max.groups);
};

/** Returns the figures that differ, in the order of their groups. */
export const differencesIn = ({ groups }: Pick<PeriodTotals, 'groups'>): Difference[] =>
  groups.flatMap(({ group, figures }) =>
    figures
      .filter(isOther)
      .map(({ figure, institution, ours }) => ({ group, figure, institution: institution!, ours: ours! })),
  );

/** Returns the text of a group for messages, for example "direction received, document_type 33". */
export const groupInWords = (group: TotalGroup): string => {
  const words = Object.entries(group).map(([name, value]) => `${name} ${value}`);
  return words.length === 0 ? 'the whole month' : words.join(', ');
};
