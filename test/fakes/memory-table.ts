/**
 * The table's functions over plain maps, for properties that call them ten thousand times: an emulator takes a
 * millisecond per answer. Conditions are ignored (there is one writer); tests of conditions use a real table. Use:
 * `vi.mock('#shared/table/table.ts', () => import('#test/fakes/memory-table.ts'))`.
 */
import type { Change } from '#shared/table/expressions.ts';
import type { Key } from '#shared/table/keys.ts';
import type { BatchWrites, Item, QueryOptions, TransactItem } from '#shared/table/table.ts';

const partitions = new Map<string, Map<string, Item>>();
/** Number of calls so far, which is the cost of a page. */
export const counted = { calls: 0 };

const partition = (pk: string): Map<string, Item> => {
  const known = partitions.get(pk);
  if (known) return known;
  const fresh = new Map<string, Item>();
  partitions.set(pk, fresh);
  return fresh;
};

const write = (item: Item): void => {
  partition(item.pk).set(item.sk, structuredClone(item));
};
const erase = ({ pk, sk }: Key): void => {
  partition(pk).delete(sk);
};

const project = (item: Item, attributes: readonly string[] | undefined): Item =>
  structuredClone(
    attributes
      ? (Object.fromEntries(Object.entries(item).filter(([name]) => attributes.includes(name))) as Item)
      : item,
  );

const change = (key: Key, { set = {}, add = {}, remove: removed = [] }: Change): Item => {
  const item: Item = { ...partition(key.pk).get(key.sk), pk: key.pk, sk: key.sk, ...set };
  for (const [name, value] of Object.entries(add))
    item[name] =
      typeof value === 'number'
        ? Number(item[name] ?? 0) + value
        : new Set([...((item[name] as Set<unknown> | undefined) ?? []), ...value]);
  for (const name of removed) delete item[name];
  write(item);
  return item;
};

export const get = async ({ pk, sk }: Key): Promise<Item | undefined> => {
  counted.calls++;
  return structuredClone(partition(pk).get(sk));
};

export const put = async (item: Item): Promise<void> => write(item);
export const update = async (key: Key, by: Change): Promise<Item> => change(key, by);
export const remove = async (key: Key): Promise<void> => erase(key);

export const query = async (pk: string, options: QueryOptions = {}): Promise<Item[]> => {
  counted.calls++;
  const { prefix = '', from = '', to, descending, limit, attributes } = options;
  const isWanted = (sk: string): boolean => sk.startsWith(prefix) && sk >= from && (to === undefined || sk <= to);
  const found = [...partition(pk).values()].filter(({ sk }) => isWanted(sk)).sort((a, b) => (a.sk < b.sk ? -1 : 1));
  return (descending ? found.reverse() : found).slice(0, limit).map((item) => project(item, attributes));
};

export async function* queryPages(pk: string, options: QueryOptions = {}): AsyncGenerator<Item[]> {
  yield await query(pk, options);
}

export const batchGet = async (
  wanted: readonly Key[],
  { attributes }: { attributes?: readonly string[] } = {},
): Promise<Item[]> => {
  if (wanted.length > 0) counted.calls++;
  return wanted.flatMap(({ pk, sk }) => {
    const item = partition(pk).get(sk);
    return item ? [project(item, attributes)] : [];
  });
};

export const batchWrite = async ({ puts = [], removes = [] }: BatchWrites): Promise<void> => {
  puts.forEach(write);
  removes.forEach(erase);
};

export const transact = async (items: readonly TransactItem[]): Promise<void> => {
  for (const item of items) {
    if ('put' in item) write(item.put);
    else if ('update' in item) change(item.update, item);
    else if ('remove' in item) erase(item.remove);
  }
};
