/** Changes of an answer in JSON: keys and lists at a path, written without `[]`. */
import type { Json, JsonObject } from '#shared/sources/source.ts';
import type { Change } from './cells.ts';

const GUARD = /^\uFEFF?\s*(?:\)\]\}',?\s*)?/;

export const jsonOf = (body: Uint8Array): Json | undefined => {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8').replace(GUARD, '')) as Json;
  } catch {
    return undefined;
  }
};

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Objects that hold a key of this path; `[]` matches every item of a list. */
export const holders = (value: Json | undefined, path: readonly string[]): JsonObject[] => {
  if (Array.isArray(value)) return value.flatMap((item) => holders(item, path));
  if (!isObject(value)) return [];
  const [first, ...rest] = path;
  if (rest.length === 0) return first! in value ? [value] : [];
  return holders(value[first!], rest);
};

/** Every path of keys, without lists: `data.boletas.dia`. */
export const paths = (value: Json, before: readonly string[] = []): string[] => {
  if (Array.isArray(value)) return value.flatMap((item) => paths(item, before));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    [...before, key].join('/'),
    ...paths(inner, [...before, key]),
  ]);
};

/** Paths of lists of objects. The list may be the whole answer. */
export const listPaths = (value: Json, before: readonly string[] = []): string[] => {
  const own = Array.isArray(value) && value.some((item) => isObject(item)) ? [before.join('/')] : [];
  const inner = Array.isArray(value) ? value.map((item): [string[], Json] => [[...before], item]) : [];
  const keyed = isObject(value)
    ? Object.entries(value).map(([key, item]): [string[], Json] => [[...before, key], item])
    : [];
  return [...own, ...[...inner, ...keyed].flatMap(([path, item]) => listPaths(item, path))];
};

export const edit =
  (work: (root: Json) => Json | undefined): Change =>
  (body) => {
    const root = jsonOf(body);
    if (root === undefined) return undefined;
    const before = JSON.stringify(root);
    const changed = work(root);
    if (changed === undefined || JSON.stringify(changed) === before) return undefined;
    return Buffer.from(JSON.stringify(changed));
  };

/** Names of amounts: a changed amount can only be noticed with a total or a balance. */
export const AMOUNT = /mont|mnt|saldo|balance|amount|cargo|abono|oneDay|Days|moreThan|neto|iva|exe/i;
export const NO_AMOUNT = /cuenta|numero|folio|codigo|rut|moneda|visib/i;
/** Names of counts, states and positions in a list. */
export const COUNT = /total|cantidad|registros|recover|pagina|TotDoc|linea|^dia$|cod|^numero$|estado|periodo|tipo/i;

/** A thousand times the amount, in the format of the wire; undefined if the value is not an amount. */
export const scaled = (value: Json | undefined): Json | undefined => {
  if (typeof value === 'number') return Math.abs(value) >= 1_000 ? value * 1_000 : undefined;
  if (typeof value !== 'string') return undefined;
  if (/^0{3,}\d{1,11}[-+ ]?$/.test(value)) return value.replace(/^000(\d+)/, '$1000');
  if (/^-?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(value)) return value.replace(/(,\d+)?$/, '.000$1');
  if (/^-?\d{4,12}(?:[.,]\d{2})?$/.test(value) && !/^20\d{6}$/.test(value))
    return value.replace(/([.,]\d{2})?$/, '000$1');
  return undefined;
};

export interface List {
  rows: Json[];
  /** The object that holds the list; null if the list is the whole answer. */
  holder: JsonObject | null;
  root: Json;
}

/** Changes the first list at the path that has more than one row. `along` changes the rest of the answer with it. */
export const onRows = (
  path: string,
  change: (rows: Json[]) => Json[] | undefined,
  along: (before: List, rows: Json[]) => void = () => undefined,
): Change =>
  edit((root) => {
    const words = path === '' ? [] : path.split('/');
    const key = words.at(-1) ?? '';
    const isList = (value: Json | undefined): value is Json[] => Array.isArray(value) && value.length > 1;
    const holder = words.length === 0 ? null : holders(root, words).find((found) => isList(found[key]));
    const rows = holder === null ? root : holder?.[key];
    if (holder === undefined || !isList(rows)) return undefined;
    const changed = change(rows);
    if (changed === undefined) return undefined;
    along({ rows, holder, root }, changed);
    if (holder === null) return changed;
    holder[key] = changed;
    return root;
  });
