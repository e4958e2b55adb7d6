/** Entries of the sparse index `due`: an item that must be looked at by a certain time has one. */
import { nowMs } from '#shared/platform/clock.ts';
import { dueEntry, dueUpTo } from './due-keys.ts';
import type { Key } from './keys.ts';
import * as table from './table.ts';

/** The attributes of an entry that falls due `ms` milliseconds from now. */
export const dueIn = (key: Key, ms: number): ReturnType<typeof dueEntry> =>
  dueEntry(key, new Date(nowMs() + ms).toISOString());

/** Attributes of an entry: an item without them is not in the index. */
export const DUE_ATTRIBUTES = ['due_pk', 'due_sk'] as const;

/** Has the time of the item's entry come? */
export const isDue = ({ due_sk }: table.Item): boolean =>
  typeof due_sk === 'string' && due_sk <= dueUpTo(new Date(nowMs()).toISOString());

/** Keys of items of one shard that are due up to `dueSk`, soonest first. */
export const findDue = (shard: string, dueSk: string, limit: number): Promise<(Key & { due_sk: string })[]> =>
  table.queryDue(shard, dueSk, limit);
