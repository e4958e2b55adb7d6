/** Entries of the sparse index `due`, for items that must be checked at a certain time. */
import { nowMs } from '#shared/platform/clock.ts';
import { dueEntry, dueUpTo } from './due-keys.ts';
import type { Key } from './keys.ts';
import * as table from './table.ts';

/** Returns the attributes of an entry that is due in `ms` milliseconds. */
export const dueIn = (key: Key, ms: number): ReturnType<typeof dueEntry> =>
  dueEntry(key, new Date(nowMs() + ms).toISOString());

/** Names of the attributes of an entry. An item without these attributes is not in the index. */
export const DUE_ATTRIBUTES = ['due_pk', 'due_sk'] as const;

/** True if the item is due. */
export const isDue = ({ due_sk }: table.Item): boolean =>
  typeof due_sk === 'string' && due_sk <= dueUpTo(new Date(nowMs()).toISOString());

/** Returns the keys of a shard's items that are due up to `dueSk`, earliest first. */
export const findDue = (shard: string, dueSk: string, limit: number): Promise<(Key & { due_sk: string })[]> =>
  table.queryDue(shard, dueSk, limit);
