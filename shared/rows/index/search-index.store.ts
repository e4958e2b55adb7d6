/**
 * The stored search index of a period: compressed parts, named after the digest of their content. New parts are stored
 * next to the old parts before the summary names the new parts, and the transaction that changes the summary removes
 * the old parts. So a reader finds all parts of a digest, or misses a part and reads the summary again. A writer that
 * lost its lease cannot damage a valid index.
 */

import { promisify } from 'node:util';
import { deflateSync, inflate } from 'node:zlib';
import * as z from 'zod';
import type { HeldPeriod, ScopeAddress } from '#shared/rows/item/scope-address.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { bytes, item } from '#shared/table/item.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import { isExpiring, LeaseLost } from '#shared/table/lease.ts';
import * as table from '#shared/table/table.ts';
import { mustGet } from '#shared/values/must-get.ts';
import type { IndexedRow } from './page-index.rules.ts';
import { packSearch, type SearchPart, searchDigest } from './search-index.rules.ts';

export interface StoredSearch {
  digest: string;
  parts: number;
}

export interface PackedSearch {
  digest: string;
  parts: readonly SearchPart[];
}

/** Returns the packed search index of the rows. Does no I/O. */
export const buildSearch = (rows: readonly (IndexedRow & { searchText: string | null })[]): PackedSearch => {
  const parts = packSearch(
    rows.map((row) => ({ ...row, searchText: row.searchText ?? '' })),
    ROW_LIMITS.searchPartBytesMax,
  );
  return { digest: searchDigest(parts), parts };
};

export const searchPartItem = item(
  'search part',
  z.object({ facets: z.array(z.string()), text: bytes(), places: bytes() }),
);

const partItem = (key: Key, part: SearchPart): table.Item => ({
  ...key,
  ...searchPartItem.toItem({
    facets: [...part.facets],
    text: deflateSync(part.text),
    places: deflateSync(part.places),
  }),
});

/** Returns the part of the summary entry that names the search index. */
export const searchHead = (search: PackedSearch | null): { search?: StoredSearch } =>
  search ? { search: { digest: search.digest, parts: search.parts.length } } : {};

/**
 * Stores the parts that do not exist yet. Returns the keys of all other parts of the period, which belong to an earlier
 * index or to a writer that died. The caller removes these other parts in the transaction that makes the new index
 * valid, or later.
 */
export const putSearch = async (
  { address, period, lease }: HeldPeriod,
  search: PackedSearch | null,
): Promise<Key[]> => {
  if (!search) return [];
  const there = await table.query(keys.index(address), { prefix: keys.searchPrefix(period), attributes: ['pk', 'sk'] });
  const known = new Set(there.map(({ sk }) => sk));
  const wanted = search.parts.map((part, n) => ({ part, key: keys.searchPart(address, period, search.digest, n) }));
  const puts = wanted.filter(({ key }) => !known.has(key.sk)).map(({ key, part }) => partItem(key, part));
  await table.batchWrite({ puts }, () => {
    if (isExpiring(lease)) throw new LeaseLost();
    return true;
  });
  const valid = new Set(wanted.map(({ key }) => key.sk));
  return there.filter(({ sk }) => !valid.has(sk)).map(({ pk, sk }) => ({ pk, sk }));
};

const unpack = promisify(inflate);

const fromItem = async (found: table.Item): Promise<SearchPart> => {
  const part = searchPartItem.fromItem(found);
  const [text, places] = await Promise.all([unpack(part.text), unpack(part.places)]);
  return { facets: part.facets, text: text.toString('utf8'), places };
};

/**
 * Returns the parts of the named indexes, in the order of the names. Returns undefined if a part is missing because a
 * newer index replaced it.
 */
export const findSearchParts = async (
  address: ScopeAddress,
  indexes: readonly { period: string; search: StoredSearch }[],
  { isConsistent }: { isConsistent: boolean },
): Promise<{ period: string; part: SearchPart }[] | undefined> => {
  const wanted = indexes.flatMap(({ period, search: { digest, parts } }) =>
    Array.from({ length: parts }, (_, n) => ({ period, key: keys.searchPart(address, period, digest, n) })),
  );
  const found = await table.batchGet(
    wanted.map(({ key }) => key),
    { consistent: isConsistent },
  );
  const items = new Map(found.map((item) => [item.sk, item]));
  if (items.size < wanted.length) return undefined;
  return Promise.all(wanted.map(async ({ period, key }) => ({ period, part: await fromItem(mustGet(items, key.sk)) })));
};
