/** The only resource: explains the columns of each scope. Generated from the scopes (`describe-tools.ts`). */
import described from './column-glossary.gen.json' with { type: 'json' };

export interface DescribedColumn {
  name: string;
  says: string | null;
  values: string[] | null;
  /** True if third parties write the text. */
  isUntrusted: boolean;
}

export interface DescribedColumns {
  source: string;
  scope: string;
  label: string;
  columns: DescribedColumn[];
  filters: { name: string; values: string[] | null }[];
  sums: string[];
  groups: string[];
}

const listed = (values: readonly string[] | null): string => (values === null ? '' : ` One of ${values.join(', ')}.`);

const columnLine = ({ name, says, values, isUntrusted }: DescribedColumn): string =>
  `- ${name}:${says === null ? '' : ` ${says}`}${listed(values)}${isUntrusted ? ' Text of third parties.' : ''}`;

const sectionOf = ({ source, scope, label, columns, filters, sums, groups }: DescribedColumns): string =>
  [
    `## ${source} ${scope} (${label})`,
    '',
    ...columns.map(columnLine),
    '',
    `Filters: ${filters.map(({ name, values }) => `${name}${values === null ? '' : ` (${values.join(', ')})`}`).join('; ') || 'none of its own'}.`,
    sums.length > 0
      ? `Added up by period_totals: ${sums.join(', ')}; by ${groups.join(', ') || 'the whole month'}.`
      : '',
    '',
  ].join('\n');

export const GLOSSARY = {
  uri: 'glossary://columns',
  name: 'columns',
  title: 'Columns of every scope',
  description: 'What each column means, its values, the filters and sums of each scope.',
  mimeType: 'text/markdown',
} as const;

export const glossaryText = (): string =>
  ['# Columns', '', ...(described as readonly DescribedColumns[]).map(sectionOf)].join('\n');
