/**
 * Marks the facts of docs/wire that a committed report of a real institution shows: the column `Met` of the tables, with
 * the day of the newest such report. Pure.
 */
import type { ContactReport } from './report.ts';

const SOURCE_OF_PAGE: Readonly<Record<string, string>> = { 'tax.md': 'tax', 'procurement.md': 'procurement' };
/** Headings of the page of all banks. */
const SOURCE_OF_HEADING: readonly (readonly [heading: RegExp, source: string])[] = [
  [/^#+ .*Bank one$/, 'bankone'],
  [/^#+ .*Bank two$/, 'banktwo'],
  [/^#+ .*Bank three$/, 'bankthree'],
];
const MET = 'Met';

const lastPart = (path: string): string => path.split(/[./]/).findLast((part) => part !== '') ?? path;

/** Names of keys, sent fields, cookies, codes and parts of addresses that a report shows. */
const namesIn = ({ calls }: ContactReport): Set<string> =>
  new Set(
    calls.flatMap(({ address, sent, cookies, bodies }) => [
      ...address.split('/'),
      ...Object.keys(sent).map(lastPart),
      ...Object.keys(cookies),
      ...bodies.flatMap(({ fields }) =>
        Object.entries(fields).flatMap(([path, { codes }]) => [lastPart(path), ...Object.keys(codes ?? {})]),
      ),
    ]),
  );

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
const withoutLastCell = (line: string): string => line.replace(/\|[^|]*\|\s*$/, '|');
const withCell = (line: string, cell: string): string => (cell === '' ? `${line} |` : `${line} ${cell} |`);

interface MetReport {
  source: string;
  day: string;
  names: Set<string>;
}

const metOn = (cell: string, source: string | undefined, reports: readonly MetReport[]): string => {
  const names = [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => lastPart(name));
  if (names.length === 0) return '';
  const days = reports.filter((report) => report.source === source && names.every((name) => report.names.has(name)));
  return (
    days
      .map(({ day }) => day)
      .sort()
      .at(-1) ?? ''
  );
};

/** Rewrites a table whose last column is `Known`, with or without the column `Met`. */
const markTable = (lines: readonly string[], source: string | undefined, reports: readonly MetReport[]): string[] => {
  const isMarked = cellsOf(lines[0] ?? '').at(-1) === MET;
  const plain = isMarked ? lines.map(withoutLastCell) : [...lines];
  if (cellsOf(plain[0] ?? '').at(-1) !== 'Known') return [...lines];
  const days = plain.slice(2).map((row) => metOn(cellsOf(row)[0] ?? '', source, reports));
  if (days.every((day) => day === '')) return plain;
  return plain.map((line, at) => withCell(line, [MET, '---', ...days][at] ?? ''));
};

/** @param name file name of the page, for example "tax.md" */
export const markMetFacts = (name: string, page: string, reports: readonly ContactReport[]): string => {
  const known = reports.map((report) => ({ source: report.source, day: report.day, names: namesIn(report) }));
  let source = SOURCE_OF_PAGE[name];
  const lines = page.split('\n');
  const marked: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const heading = SOURCE_OF_HEADING.find(([pattern]) => pattern.test(lines[at] ?? ''));
    if (heading) source = heading[1];
    const end = lines.findIndex((line, n) => n >= at && !line.startsWith('|'));
    const table = lines.slice(at, end < 0 ? lines.length : end);
    marked.push(
      ...(table.length > 2 ? markTable(table, source, known) : lines.slice(at, at + Math.max(1, table.length))),
    );
    at += Math.max(1, table.length);
  }
  return marked.join('\n');
};
