/** Malformations of JSON answers: keys, values, rows, totals. */
import type { Json, JsonObject } from '#shared/sources/source.ts';
import { type Cell, type Change, everywhere, once } from './cells.ts';
import type { WireAnswer } from './wire.ts';

const GUARD = /^\uFEFF?\s*(?:\)\]\}',?\s*)?/;

export const jsonOf = (body: Uint8Array): Json | undefined => {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8').replace(GUARD, '')) as Json;
  } catch {
    return undefined;
  }
};

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Objects that hold a key of this path; `[]` is every item of a list. */
const holders = (value: Json | undefined, path: readonly string[]): JsonObject[] => {
  if (Array.isArray(value)) return value.flatMap((item) => holders(item, path));
  if (!isObject(value)) return [];
  const [first, ...rest] = path;
  if (rest.length === 0) return first! in value ? [value] : [];
  return holders(value[first!], rest);
};

/** Every path of keys, lists left out: `data.boletas.dia`. */
const paths = (value: Json, before: readonly string[] = []): string[] => {
  if (Array.isArray(value)) return value.flatMap((item) => paths(item, before));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    [...before, key].join('/'),
    ...paths(inner, [...before, key]),
  ]);
};

/** Paths of lists of objects. The list may be the whole answer. */
const listPaths = (value: Json, before: readonly string[] = []): string[] => {
  const own = Array.isArray(value) && value.some((item) => isObject(item)) ? [before.join('/')] : [];
  const inner = Array.isArray(value) ? value.map((item): [string[], Json] => [[...before], item]) : [];
  const keyed = isObject(value)
    ? Object.entries(value).map(([key, item]): [string[], Json] => [[...before, key], item])
    : [];
  return [...own, ...[...inner, ...keyed].flatMap(([path, item]) => listPaths(item, path))];
};

const edit =
  (work: (root: Json) => Json | undefined): Change =>
  (body) => {
    const root = jsonOf(body);
    if (root === undefined) return undefined;
    const before = JSON.stringify(root);
    const changed = work(root);
    if (changed === undefined || JSON.stringify(changed) === before) return undefined;
    return Buffer.from(JSON.stringify(changed));
  };

type KeyChange = (holder: JsonObject, key: string) => void;

const onKeys = (path: string, change: KeyChange, only: 'all' | 'one'): Change =>
  edit((root) => {
    const words = path.split('/');
    const found = holders(root, words).filter((holder) => holder[words.at(-1)!] !== null);
    const wanted = only === 'all' ? found : found.slice(Math.floor(found.length / 2), Math.floor(found.length / 2) + 1);
    for (const holder of wanted) change(holder, words.at(-1)!);
    return wanted.length === 0 ? undefined : root;
  });

/** The same value in another type; a text becomes a list of it. */
const retyped = (value: Json | undefined): Json => {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string' && /^-?[1-9]\d{0,14}$/.test(value)) return Number(value);
  return [value ?? null];
};

/** Names of amounts: to know that one is another number takes a total or a balance. */
const AMOUNT = /mont|mnt|saldo|balance|amount|cargo|abono|oneDay|Days|moreThan|neto|iva|exe/i;
const NO_AMOUNT = /cuenta|numero|folio|codigo|rut|moneda|visib/i;
/** Names of counts, states and places in a list. */
const COUNT = /total|cantidad|registros|recover|pagina|TotDoc|linea|^dia$|cod|^numero$|estado|periodo|tipo/i;

/** A thousand times as much, in the spelling of the wire; undefined where it is no amount. */
export const scaled = (value: Json | undefined): Json | undefined => {
  if (typeof value === 'number') return Math.abs(value) >= 1_000 ? value * 1_000 : undefined;
  if (typeof value !== 'string') return undefined;
  if (/^0{3,}\d{1,11}[-+ ]?$/.test(value)) return value.replace(/^000(\d+)/, '$1000');
  if (/^-?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(value)) return value.replace(/(,\d+)?$/, '.000$1');
  if (/^-?\d{4,12}(?:[.,]\d{2})?$/.test(value) && !/^20\d{6}$/.test(value))
    return value.replace(/([.,]\d{2})?$/, '000$1');
  return undefined;
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

/** Numbers of the head count or total something: one more, one fewer, none. */
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

const onRows = (path: string, change: (rows: Json[]) => Json[]): Change =>
  edit((root) => {
    const words = path === '' ? [] : path.split('/');
    if (words.length === 0) return Array.isArray(root) && root.length > 1 ? change(root) : undefined;
    const holder = holders(root, words).find((found) => {
      const rows = found[words.at(-1)!];
      return Array.isArray(rows) && rows.length > 1;
    });
    if (holder === undefined) return undefined;
    holder[words.at(-1)!] = change(holder[words.at(-1)!] as Json[]);
    return root;
  });

/** Half of the rows, and every count and closing figure beside them made to fit. */
const fittingHalf = (path: string): Change =>
  edit((root) => {
    const words = path === '' ? [] : path.split('/');
    if (words.length === 0)
      return Array.isArray(root) && root.length > 1 ? root.slice(0, Math.ceil(root.length / 2)) : undefined;
    const holder = holders(root, words).find((found) => {
      const rows = found[words.at(-1)!];
      return Array.isArray(rows) && rows.length > 1;
    });
    if (holder === undefined) return undefined;
    const rows = holder[words.at(-1)!] as Json[];
    const half = rows.slice(0, Math.ceil(rows.length / 2));
    holder[words.at(-1)!] = half;
    const last = half.at(-1);
    for (const key of paths(root).filter((name) => COUNT.test(name.split('/').at(-1)!)))
      for (const found of holders(root, key.split('/'))) {
        const name = key.split('/').at(-1)!;
        if (found[name] === rows.length) found[name] = half.length;
        if (found[name] === String(rows.length)) found[name] = String(half.length);
      }
    if ('saldoFinal' in holder && isObject(last) && last.saldo !== undefined) holder.saldoFinal = last.saldo;
    return root;
  });

const withOneCell = (path: string): Change =>
  onRows(path, (rows) => {
    const first = rows[0];
    if (!isObject(first)) return rows;
    const key = Object.keys(first).find(
      (name) => AMOUNT.test(name) && !NO_AMOUNT.test(name) && scaled(first[name]) !== undefined,
    );
    if (key === undefined) return rows;
    return [first, { ...first, [key]: scaled(first[key])! }, ...rows.slice(2)];
  });

/** Names by which rows are known. */
const IDS =
  /^(?:id|idP|linea|movementNumber|numeroTransaccion|numeroNomina|folio|detNroDoc|CodigoExterno|dhdrCodigo)$/i;

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

/** The rows of one page once more on the next, under ids of their own. */
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

export const jsonCells = (answers: readonly WireAnswer[]): Cell[] => {
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
  }
  for (const path of lists) {
    const name = path === '' ? 'of the list' : path;
    for (const [what, change] of Object.entries(ROW_CHANGES)) {
      cells.push(...once(`${what} ${name}`, answers, onRows(path, change)));
      if (what === 'no rows' || what === 'half of the rows')
        cells.push(...everywhere(`${what} everywhere ${name}`, answers, onRows(path, change)));
    }
    cells.push(...once(`a copy with one cell changed ${name}`, answers, withOneCell(path)));
    cells.push(...once(`half of the rows, and counts that fit ${name}`, answers, fittingHalf(path)));
    cells.push(...everywhere(`half of the rows everywhere, and counts that fit ${name}`, answers, fittingHalf(path)));
    cells.push(...repeatedPages(path, answers));
  }
  return cells;
};
