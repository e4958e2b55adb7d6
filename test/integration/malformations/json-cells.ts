/** Malformations of JSON answers: keys, values, rows, totals. */
import type { Json, JsonObject } from '#shared/sources/source.ts';
import { type Cell, type Change, everywhere, once } from './cells.ts';
import { fittingCells } from './fitting-cells.ts';
import { AMOUNT, COUNT, edit, holders, jsonOf, listPaths, NO_AMOUNT, onRows, paths, scaled } from './json-edit.ts';
import { accountCells, madeUpCells } from './made-up-cells.ts';
import type { WireAnswer } from './wire.ts';

type KeyChange = (holder: JsonObject, key: string) => void;

const onKeys = (path: string, change: KeyChange, only: 'all' | 'one'): Change =>
  edit((root) => {
    const words = path.split('/');
    const found = holders(root, words).filter((holder) => holder[words.at(-1)!] !== null);
    const wanted = only === 'all' ? found : found.slice(Math.floor(found.length / 2), Math.floor(found.length / 2) + 1);
    for (const holder of wanted) change(holder, words.at(-1)!);
    return wanted.length === 0 ? undefined : root;
  });

/** The same value in another type; a text becomes a list with that text. */
const retyped = (value: Json | undefined): Json => {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string' && /^-?[1-9]\d{0,14}$/.test(value)) return Number(value);
  return [value ?? null];
};

const put = (holder: JsonObject, key: string, value: Json): void => {
  holder[key] = value;
};

const KEY_CHANGES: Readonly<Record<string, KeyChange>> = {
  drop: (holder, key) => {
    delete holder[key];
  },
  null: (holder, key) => put(holder, key, null),
  retype: (holder, key) => put(holder, key, retyped(holder[key])),
  object: (holder, key) => put(holder, key, { was: 'something else' }),
  scale: (holder, key) => {
    const more = AMOUNT.test(key) && !NO_AMOUNT.test(key) ? scaled(holder[key]) : undefined;
    if (more !== undefined) holder[key] = more;
  },
  empty: (holder, key) => {
    if (typeof holder[key] === 'string') holder[key] = '';
  },
};

const ONE = new Set(['drop', 'null', 'scale']);

/** Numbers whose name suggests a count or total: one more, one less, zero. */
const COUNT_CHANGES: Readonly<Record<string, (count: number) => number>> = {
  'one more': (count) => count + 1,
  'one fewer': (count) => count - 1,
  none: () => 0,
};

const countChange =
  (change: (count: number) => number): KeyChange =>
  (holder, key) => {
    const value = COUNT.test(key) ? holder[key] : null;
    if (typeof value === 'number' && Number.isInteger(value)) holder[key] = change(value);
    else if (typeof value === 'string' && /^\d{1,6}$/.test(value)) holder[key] = String(change(Number(value)));
  };

const ROW_CHANGES: Readonly<Record<string, (rows: Json[]) => Json[]>> = {
  'first row added again': ([first, ...rest]) => [first!, first!, ...rest],
  'last row added again': (rows) => [...rows, rows.at(-1)!],
  'a copy in place of the second': ([first, , ...rest]) => [first!, first!, ...rest],
  'a copy in place of the last': (rows) => [...rows.slice(0, -1), rows[0]!],
  'first row gone': (rows) => rows.slice(1),
  'last row gone': (rows) => rows.slice(0, -1),
  'half of the rows': (rows) => rows.slice(0, Math.ceil(rows.length / 2)),
  'no rows': () => [],
  'rows turned round': (rows) => rows.toReversed(),
  'rows twice': (rows) => [...rows, ...rows],
  'a row that is null': (rows) => [...rows, null],
};

export const jsonCells = (answers: readonly WireAnswer[], isMonthly: boolean): Cell[] => {
  const roots = answers.map(({ body }) => jsonOf(body)).filter((root): root is Json => root !== undefined);
  if (roots.length === 0) return [];
  const keys = [...new Set(roots.flatMap((root) => paths(root)))].sort();
  const lists = [...new Set(roots.flatMap((root) => listPaths(root)))].sort();
  const cells: Cell[] = [];
  for (const path of keys) {
    for (const [name, change] of Object.entries(KEY_CHANGES)) {
      cells.push(...everywhere(`${name} ${path}`, answers, onKeys(path, change, 'all')));
      if (ONE.has(name)) cells.push(...once(`${name} one ${path}`, answers, onKeys(path, change, 'one')));
    }
    for (const [name, change] of Object.entries(COUNT_CHANGES))
      cells.push(...once(`${name} ${path}`, answers, onKeys(path, countChange(change), 'one')));
    cells.push(...accountCells(path, answers));
  }
  for (const path of lists) {
    const name = path === '' ? 'of the list' : path;
    for (const [what, change] of Object.entries(ROW_CHANGES)) {
      cells.push(...once(`${what} ${name}`, answers, onRows(path, change)));
      if (what === 'no rows' || what === 'half of the rows')
        cells.push(...everywhere(`${what} everywhere ${name}`, answers, onRows(path, change)));
    }
    cells.push(...fittingCells(path, name, answers), ...madeUpCells(path, name, answers, isMonthly));
  }
  return cells;
};
