/**
 * Arranges the totals of a month as one table: a line per group, a pair of columns per figure. Document types that share
 * all other values form a section, whose sum is the first line.
 */
import Big from 'big.js';
import type { Schemas } from '../api/client.ts';

export type ApiTotalGroup = Schemas['TotalGroup'];
type Verdict = ApiTotalGroup['verdict'];

export interface FigurePair {
  /** Null if the institution does not report the figure. */
  institution: string | null;
  /** Null if the figure is not compared. */
  ours: string | null;
}

export interface FigureLine {
  group: Readonly<Record<string, string>>;
  /** A sum of the lines below it, a line below a sum, or a line that belongs to no sum. */
  kind: 'sum' | 'part' | 'single';
  /** True if credit notes were subtracted. */
  hasCreditNotes: boolean;
  verdict: Verdict;
  pairs: ReadonlyMap<string, FigurePair>;
  rowsNotShown: number;
}

export interface FigureTable {
  /** Figures in the order of the columns. */
  figures: readonly string[];
  lines: readonly FigureLine[];
}

/** Columns in this order; other figures follow. */
const ORDER = [
  ...[
    'rows',
    'total_documentos',
    'num_registros',
    'net_amount',
    'exempt_amount',
    'vat_amount',
    'total_amount',
    'monto',
  ],
  ...['opening', 'charges', 'credits', 'closing', 'balance'],
];
const COUNTS: ReadonlySet<string> = new Set(['rows', 'total_documentos', 'num_registros']);
export const isCount = (figure: string): boolean => COUNTS.has(figure);

/** Credit notes of the tax authority, whose amounts are positive. They reduce the sum of a section. */
const CREDIT_NOTES: ReadonlySet<string> = new Set(['60', '61', '106', '112']);
const isCreditNote = ({ document_type: type = '' }: FigureLine['group']): boolean => CREDIT_NOTES.has(type);

const rank = (figure: string): number => (ORDER.includes(figure) ? ORDER.indexOf(figure) : ORDER.length);

const listFigures = (groups: readonly ApiTotalGroup[]): string[] =>
  [...new Set(groups.flatMap(({ figures }) => figures.map(({ figure }) => figure)))].toSorted(
    (a, b) => rank(a) - rank(b),
  );

const toLine = (of: ApiTotalGroup, kind: FigureLine['kind']): FigureLine => ({
  ...{ group: of.group, kind, hasCreditNotes: false, verdict: of.verdict },
  pairs: new Map(of.figures.map(({ figure, institution, ours }) => [figure, { institution, ours }])),
  rowsNotShown: of.rows_not_shown?.rows ?? 0,
});

const sumSide = (lines: readonly FigureLine[], figure: string, side: keyof FigurePair): string | null => {
  let sum = Big(0);
  for (const { group, pairs } of lines) {
    const amount = pairs.get(figure)?.[side] ?? null;
    // One unknown amount makes the sum unknown.
    if (amount === null) return null;
    sum = !isCount(figure) && isCreditNote(group) ? sum.minus(amount) : sum.plus(amount);
  }
  return sum.toFixed();
};

const sumVerdict = (lines: readonly FigureLine[]): Verdict => {
  if (lines.some(({ verdict }) => verdict === 'differs')) return 'differs';
  return lines.every(({ verdict }) => verdict === 'equal') ? 'equal' : 'not_told';
};

const sumLine = (lines: readonly FigureLine[], figures: readonly string[]): FigureLine => {
  const { document_type: _, ...group } = lines[0]?.group ?? {};
  const pairs = figures.map((figure): [string, FigurePair] => [
    figure,
    { institution: sumSide(lines, figure, 'institution'), ours: sumSide(lines, figure, 'ours') },
  ]);
  const hasCreditNotes = lines.some((line) => isCreditNote(line.group));
  return { group, kind: 'sum', hasCreditNotes, verdict: sumVerdict(lines), pairs: new Map(pairs), rowsNotShown: 0 };
};

const sectionKey = ({ group }: ApiTotalGroup): string => {
  const { document_type: _, ...rest } = group;
  return JSON.stringify(Object.entries(rest).toSorted(([a], [b]) => (a < b ? -1 : 1)));
};

/**
 * Sums join only document types, so they never join accounts, currencies, or purchases and sales.
 * @param isWhole false if some groups are not in `groups`; then no sum is known
 */
export const arrangeFigures = (groups: readonly ApiTotalGroup[], isWhole: boolean): FigureTable => {
  const figures = listFigures(groups);
  // Sections with a sum are first.
  const sections = [...Map.groupBy(groups, sectionKey).values()].toSorted(
    (a, b) => Number(a.length < 2) - Number(b.length < 2),
  );
  const lines = sections.flatMap((section) => {
    const isSummed = isWhole && section.length > 1 && section.every(({ group }) => group.document_type !== undefined);
    if (!isSummed) return section.map((each) => toLine(each, 'single'));
    const parts = section.map((each) => toLine(each, 'part'));
    return [sumLine(parts, figures), ...parts];
  });
  return { figures, lines };
};

/** Ours minus the institution's. Null if the figures are equal or one of them is unknown. */
export const findDifference = ({ institution, ours }: FigurePair): string | null =>
  institution === null || ours === null || Big(ours).eq(institution) ? null : Big(ours).minus(institution).toFixed();
