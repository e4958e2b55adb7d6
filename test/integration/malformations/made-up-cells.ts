/** Rows that do not belong to the request: made up, copied with a change, of another month, of another account. */
import type { Json, JsonObject } from '#shared/sources/source.ts';
import { type Cell, everywhere, once } from './cells.ts';
import { AMOUNT, edit, holders, isObject, jsonOf, NO_AMOUNT, onRows, scaled } from './json-edit.ts';
import type { WireAnswer } from './wire.ts';

/** Names of fields that identify rows. */
const IDS =
  /^(?:id|idP|Numero|linea|movementNumber|numeroTransaccion|numeroNomina|folio|detNroDoc|CodigoExterno|dhdrCodigo)$/i;

const bumped = (value: Json): Json => {
  if (typeof value === 'number') return value + 500_000;
  if (typeof value === 'string' && /\d$/.test(value))
    return value.replace(/\d+$/, (digits) => `9${digits.slice(1)}7`.slice(-digits.length));
  return value;
};

const renumbered = (row: Json): Json => {
  if (!isObject(row)) return row;
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, IDS.test(key) ? bumped(value) : value]));
};

const isNumbered = (row: Json | undefined): boolean => isObject(row) && Object.keys(row).some((key) => IDS.test(key));

/** Repeats the rows of one page on the next page, under new ids. */
const repeatedPages = (path: string, answers: readonly WireAnswer[]): Cell[] => {
  const [first, second] = answers;
  if (!first || !second || path === '') return [];
  const words = path.split('/');
  const rowsIn = (answer: WireAnswer) => holders(jsonOf(answer.body), words)[0]?.[words.at(-1)!];
  const [rows, target] = [rowsIn(first), rowsIn(second)];
  if (!Array.isArray(rows) || !Array.isArray(target) || rows.length < 2 || target.length === 0) return [];
  const again = rows.slice(0, target.length).map(renumbered);
  return once(
    `rows of the answer before under new ids ${path}`,
    [second],
    edit((root) => {
      const holder = holders(root, words)[0]!;
      holder[words.at(-1)!] = again;
      return root;
    }),
  );
};

/** The first row with another amount. */
const withOtherAmount = (row: Json | undefined): JsonObject | undefined => {
  if (!isObject(row)) return undefined;
  const key = Object.keys(row).find(
    (name) => AMOUNT.test(name) && !NO_AMOUNT.test(name) && scaled(row[name]) !== undefined,
  );
  return key === undefined ? undefined : { ...row, [key]: scaled(row[key])! };
};

/** The first row with another text: a name, a description. */
const withOtherText = (row: Json | undefined): JsonObject | undefined => {
  if (!isObject(row)) return undefined;
  const key = Object.keys(row).find((name) => /^\p{Lu}?[\p{L} ¿?.,]{6,}$/u.test(String(row[name] ?? '').trim()));
  return key === undefined ? undefined : { ...row, [key]: `${String(row[key])} otro` };
};

const copies = (path: string, name: string, answers: readonly WireAnswer[]): Cell[] => {
  const added = (change: typeof withOtherText) =>
    onRows(path, (rows) => {
      const copy = change(rows[0]);
      return copy && [rows[0]!, copy, ...rows.slice(1)];
    });
  const inPlace = (change: typeof withOtherText) =>
    onRows(path, (rows) => {
      const copy = change(rows[0]);
      return copy && [rows[0]!, copy, ...rows.slice(2)];
    });
  return [
    ...once(`a copy with one cell changed ${name}`, answers, inPlace(withOtherAmount)),
    ...once(`a copy with one cell changed added ${name}`, answers, added(withOtherAmount)),
    ...once(`a copy with another text ${name}`, answers, inPlace(withOtherText)),
    ...once(`a copy with another text added ${name}`, answers, added(withOtherText)),
  ];
};

const DATES: readonly [RegExp, (match: RegExpExecArray) => string][] = [
  [/^(\d\d)\/(\d\d)\/(\d{4})/, ([, day, month, year]) => before(year!, month!, day!, (y, m, d) => `${d}/${m}/${y}`)],
  [/^(\d{4})-(\d\d)-(\d\d)/, ([, year, month, day]) => before(year!, month!, day!, (y, m, d) => `${y}-${m}-${d}`)],
  [/^(20\d\d)(\d\d)(\d\d)(?!\d)/, ([, year, month, day]) => before(year!, month!, day!, (y, m, d) => `${y}${m}${d}`)],
];

const before = (
  year: string,
  month: string,
  day: string,
  spell: (year: string, month: string, day: string) => string,
): string => {
  const [y, m] = month === '01' ? [Number(year) - 1, 12] : [Number(year), Number(month) - 1];
  return spell(String(y), String(m).padStart(2, '0'), Number(day) > 28 ? '28' : day);
};

const monthBefore = (value: Json): Json => {
  if (typeof value !== 'string') return value;
  for (const [pattern, spell] of DATES) {
    const match = pattern.exec(value);
    if (match) return `${spell(match)}${value.slice(match[0].length)}`;
  }
  return value;
};

const redated = (row: Json): Json =>
  isObject(row) ? Object.fromEntries(Object.entries(row).map(([key, value]) => [key, monthBefore(value)])) : row;

const redatedCells = (path: string, name: string, answers: readonly WireAnswer[]): Cell[] => [
  ...everywhere(
    `dates of the month before ${name}`,
    answers,
    onRows(path, (rows) => rows.map(redated)),
  ),
  ...once(
    `one date of the month before ${name}`,
    answers,
    onRows(path, (rows) => {
      const middle = Math.floor(rows.length / 2);
      return rows.map((row, at) => (at === middle ? redated(row) : row));
    }),
  ),
];

export const madeUpCells = (path: string, name: string, answers: readonly WireAnswer[], isMonthly: boolean): Cell[] => {
  const again = onRows(path, (rows) => (isNumbered(rows[0]) ? [...rows, ...rows.map(renumbered)] : undefined));
  return [
    ...copies(path, name, answers),
    ...repeatedPages(path, answers),
    ...once(`rows again under new ids ${name}`, answers, again),
    ...(isMonthly ? redatedCells(path, name, answers) : []),
  ];
};

/** Numbers of the company's own accounts. */
const ACCOUNT =
  /^(?:numeroCuenta|cuentaCargo|accountId|cuentas\/numero|accounts\/(?:accountId|number)|nominas\/cuentaCargo)$/;

/** Another account number of the same form. */
export const accountCells = (path: string, answers: readonly WireAnswer[]): Cell[] => {
  if (!ACCOUNT.test(path)) return [];
  const words = path.split('/');
  const key = words.at(-1)!;
  const change = edit((root) => {
    const holder = holders(root, words)[0];
    if (typeof holder?.[key] !== 'string') return undefined;
    holder[key] = holder[key].replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10));
    return root;
  });
  return [
    ...once(`another account ${path}`, answers, change),
    ...everywhere(`another account everywhere ${path}`, answers, change),
  ];
};
