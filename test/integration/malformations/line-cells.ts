/** Malformations of files in lines: CSV with a header line, and statements of fixed width. */
import { bytes, type Cell, type Change, everywhere, once, text } from './cells.ts';
import type { WireAnswer } from './wire.ts';

const lined =
  (work: (lines: string[]) => string[] | undefined): Change =>
  (body) => {
    const lines = text(body).split('\r\n');
    const changed = work(lines);
    return changed === undefined ? undefined : bytes(changed.join('\r\n'));
  };

/** Changes of the filled lines between the first and the last line. */
const ROW_CHANGES: Readonly<Record<string, (rows: string[]) => string[]>> = {
  'first line added again': ([first, ...rest]) => [first!, first!, ...rest],
  'a copy in place of the second': ([first, , ...rest]) => [first!, first!, ...rest],
  'first line gone': (rows) => rows.slice(1),
  'last line gone': (rows) => rows.slice(0, -1),
  'half of the lines': (rows) => rows.slice(0, Math.ceil(rows.length / 2)),
  'no lines': () => [],
  'lines turned round': (rows) => rows.toReversed(),
  'lines twice': (rows) => [...rows, ...rows],
};

const onRows = (before: number, after: number, change: (rows: string[]) => string[]): Change =>
  lined((lines) => {
    const end = lines.length - after;
    const rows = lines.slice(before, end);
    if (rows.length < 2) return undefined;
    return [...lines.slice(0, before), ...change(rows), ...lines.slice(end)];
  });

const scaledText = (value: string): string =>
  /\d{3}/.test(value)
    ? value.replace(
        /^(-?[\d.]*\d)(,\d+)?$/,
        (_, whole: string, decimals = '') => `${whole}${whole.includes('.') ? '.' : ''}000${decimals}`,
      )
    : value;

const COLUMN_CHANGES: Readonly<Record<string, (cell: string, header: boolean) => string | undefined>> = {
  drop: () => undefined,
  null: (cell, header) => (header ? cell : ''),
  retype: (cell, header) => (header ? cell : 'texto'),
  rename: (cell, header) => (header ? `${cell} NUEVO` : cell),
  scale: (cell, header) => (header ? cell : scaledText(cell)),
};

/** CSV: `;` between cells, names in the first line. Files of one kind may differ in their columns. */
export const csvCells = (answers: readonly WireAnswer[]): Cell[] => {
  const namesIn = (header: string): string[] => header.split(';').filter((name) => name !== '');
  const names = new Set(answers.flatMap(({ body }) => namesIn(text(body).split('\r\n')[0]!)));
  const column = (name: string, change: (cell: string, header: boolean) => string | undefined, only?: number) =>
    lined((lines) => {
      const at = namesIn(lines[0]!).indexOf(name);
      if (at < 0) return undefined;
      return lines.map((line, n) => {
        if (line === '' || (only !== undefined && n !== only)) return line;
        return line
          .split(';')
          .flatMap((cell, i) => (i === at ? (change(cell, n === 0) ?? []) : cell))
          .join(';');
      });
    });
  return [
    ...[...names].flatMap((name) =>
      Object.entries(COLUMN_CHANGES).flatMap(([what, change]) => [
        ...everywhere(`${what} ${name}`, answers, column(name, change)),
        ...(what === 'null' || what === 'drop' || what === 'scale'
          ? once(`${what} one ${name}`, answers, column(name, change, 1))
          : []),
      ]),
    ),
    ...Object.entries(ROW_CHANGES).flatMap(([what, change]) => once(what, answers, onRows(1, 1, change))),
    ...once('a copy with one cell changed', answers, onRows(1, 1, withOtherLast)),
    ...once(
      'header gone',
      answers,
      lined((lines) => lines.slice(1)),
    ),
  ];
};

/** Replaces the second line with a copy of the first whose last numeric cell differs. */
const withOtherLast = ([first, , ...rest]: string[]): string[] => {
  const copy = first!.replace(/\d(?=[^\d]*$)/, (digit) => String((Number(digit) + 1) % 10));
  return [first!, copy, ...rest];
};

/** Fields of a statement by the kind of line and position, from 1, both included (banks.md §3.3). */
const FIELDS: readonly [string, string, number, number][] = [
  ['1', 'company', 2, 11],
  ['1', 'account', 62, 76],
  ['1', 'currency', 77, 79],
  ['1', 'from', 80, 89],
  ['1', 'to', 90, 99],
  ['1', 'state', 100, 100],
  ['1', 'number', 101, 109],
  ['2', 'date', 2, 11],
  ['2', 'text', 12, 61],
  ['2', 'document', 62, 70],
  ['2', 'type', 71, 71],
  ['2', 'plus', 72, 72],
  ['2', 'amount', 73, 90],
  ['2', 'balance', 92, 109],
  ['3', 'count', 2, 8],
  ['3', 'opening', 9, 26],
  ['3', 'charges', 27, 44],
  ['3', 'credits', 45, 62],
  ['3', 'closing', 63, 80],
];

const FIELD_CHANGES: Readonly<Record<string, (value: string, name: string) => string>> = {
  null: (value) => ' '.repeat(value.length),
  zeros: (value) => '0'.repeat(value.length),
  retype: (value) => 'X'.repeat(value.length),
  'one more': (value) => value.replace(/\d(?=\D*$|,)/, (digit) => String((Number(digit) + 1) % 10)),
  scale: (value) => (/,\d\d$/.test(value) ? value.replace(/^ {3}( *-?\d+),/, '$1000,') : value),
  turn: (value, name) =>
    name === 'type'
      ? value === 'C'
        ? 'A'
        : 'C'
      : name === 'state'
        ? value === 'H'
          ? 'P'
          : 'H'
        : name === 'currency'
          ? value === 'CLP'
            ? 'USD'
            : 'CLP'
          : value,
};

export const statementCells = (answers: readonly WireAnswer[]): Cell[] => {
  const field = (
    [kind, name, first, last]: (typeof FIELDS)[number],
    change: (value: string, name: string) => string,
    one: boolean,
  ) =>
    lined((lines) => {
      if (!lines[0]?.startsWith('1')) return undefined;
      const own = lines.flatMap((line, at) => (line.startsWith(kind) ? [at] : []));
      const wanted = new Set(one ? own.slice(Math.floor(own.length / 2), Math.floor(own.length / 2) + 1) : own);
      return lines.map((line, at) =>
        wanted.has(at)
          ? `${line.slice(0, first - 1)}${change(line.slice(first - 1, last), name)}${line.slice(last)}`
          : line,
      );
    });
  const trailerGone: Change = lined((lines) =>
    lines[0]?.startsWith('1') ? lines.filter((line) => !line.startsWith('3')) : undefined,
  );
  return [
    ...FIELDS.flatMap((place) =>
      Object.entries(FIELD_CHANGES).flatMap(([what, change]) => [
        ...everywhere(`${what} ${place[1]}`, answers, field(place, change, false)),
        ...(place[0] === '2' ? once(`${what} one ${place[1]}`, answers, field(place, change, true)) : []),
      ]),
    ),
    ...Object.entries(ROW_CHANGES).flatMap(([what, change]) => once(what, answers, onRows(1, 2, change))),
    ...everywhere('trailer gone', answers, trailerGone),
    ...everywhere(
      'header gone',
      answers,
      lined((lines) => (lines[0]?.startsWith('1') ? lines.slice(1) : undefined)),
    ),
    ...everywhere('half a month that is right in itself', answers, halfStatement),
    ...once('a copy with one cell changed', answers, onRows(1, 2, withOtherBalance)),
    ...once('lines again under other documents', answers, onRows(1, 2, underOtherDocuments)),
    ...everywhere('dates of the month before', answers, onRows(1, 2, monthBefore)),
    ...once(
      'one date of the month before',
      answers,
      onRows(1, 2, ([first, ...rest]) => [...monthBefore([first!]), ...rest]),
    ),
    ...everywhere('no lines, and a count that fits', answers, emptyStatement(false)),
    ...everywhere('no lines, right in themselves', answers, emptyStatement(true)),
  ];
};

/** Replaces the second line with a copy of the first whose balance differs. */
const withOtherBalance = ([first, , ...rest]: string[]): string[] => {
  const copy = `${first!.slice(0, 91)}${first!.slice(91, 109).replace(/\d(?=,)/, (digit) => String((Number(digit) + 1) % 10))}${first!.slice(109)}`;
  return [first!, copy, ...rest];
};

const underOtherDocuments = (lines: string[]): string[] => [
  ...lines,
  ...lines.map((line, at) => `${line.slice(0, 61)}${String(700_000_001 + at)}${line.slice(70)}`),
];

const monthBefore = (lines: string[]): string[] =>
  lines.map((line) =>
    line.replace(/^2(\d\d)\/(\d\d)\/(\d{4})/, (_, day: string, month: string, year: string) => {
      const earlier =
        month === '01' ? `12/${Number(year) - 1}` : `${String(Number(month) - 1).padStart(2, '0')}/${year}`;
      return `2${Number(day) > 28 ? '28' : day}/${earlier}`;
    }),
  );

/**
 * A statement without movements. Its balances may still differ, or the opening balance equals the closing one
 * (`isRight`).
 */
const emptyStatement = (isRight: boolean): Change =>
  lined((lines) => {
    const trailer = lines.find((line) => line.startsWith('3'));
    if (!lines[0]?.startsWith('1') || !trailer || !lines.some((line) => line.startsWith('2'))) return undefined;
    const none = decimal(0n, 18);
    const [opening, closing] = [trailer.slice(8, 26), trailer.slice(62, 80)];
    return [lines[0], `30000000${isRight ? closing : opening}${none}${none}${closing}${' '.repeat(29)}`, ''];
  });

const decimal = (value: bigint, width: number): string => {
  const sign = value < 0n ? '-' : '';
  const digits = (value < 0n ? -value : value).toString().padStart(3, '0');
  return `${sign}${digits.slice(0, -2)},${digits.slice(-2)}`.padStart(width);
};

/** The first half of the lines, with a header and totals that agree with it. */
const halfStatement: Change = lined((lines) => {
  const movements = lines.filter((line) => line.startsWith('2'));
  const trailer = lines.find((line) => line.startsWith('3'));
  if (!lines[0]?.startsWith('1') || movements.length < 4 || !trailer) return undefined;
  const half = movements.slice(0, Math.floor(movements.length / 2));
  const cents = (cell: string): bigint => BigInt(cell.trim().replace(',', ''));
  const sum = (type: string) =>
    half.filter((line) => line[70] === type).reduce((total, line) => total + cents(line.slice(72, 90)), 0n);
  const [charges, credits, opening] = [sum('C'), sum('A'), cents(trailer.slice(8, 26))];
  const totals = [opening, charges, credits, opening + credits - charges].map((value) => decimal(value, 18)).join('');
  const last = half.at(-1)!.slice(1, 11);
  const header = `${lines[0].slice(0, 89)}${last}${lines[0].slice(99)}`;
  return [header, ...half, `3${String(half.length).padStart(7, '0')}${totals}${' '.repeat(29)}`, ''];
});
