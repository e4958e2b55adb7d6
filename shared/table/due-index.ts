/** Entries of the sparse index `due`, for items that must be checked at a certain time. */
import { nowMs } from '#shared/platform/clock.ts';
import { AppError } from '#shared/values/app-error.ts';
import { type DueEntry, dueEntry, dueUpTo, failedDueSk } from './due-keys.ts';
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

/** Yields the entries of a shard's items that are due up to `dueSk`, earliest first. */
export const findDue = (shard: string, dueSk: string): AsyncGenerator<DueEntry[]> => table.queryDuePages(shard, dueSk);

/** The item was changed or removed by its owner in the meantime. */
class EntryMoved extends AppError {}

const moveEntry = async (entry: DueEntry, set: { due_sk: string; due_pk?: string }): Promise<void> => {
  try {
    await table.update(entry, {
      set,
      if: '#due_sk = :seen',
      values: { seen: entry.due_sk },
      otherwise: () => new EntryMoved(),
    });
  } catch (error) {
    if (!(error instanceof EntryMoved)) throw error;
  }
};

/** Makes the item due in `ms` milliseconds. A change of the entry by the item's owner wins. */
export const postponeEntry = (entry: DueEntry, ms: number): Promise<void> => moveEntry(entry, dueIn(entry, ms));

/** Makes an item due in `ms` milliseconds whose handling failed `failures` times in a row. A change by its owner wins. */
export const postponeFailed = (entry: DueEntry, ms: number, failures: number): Promise<void> =>
  moveEntry(entry, { due_sk: failedDueSk(entry, new Date(nowMs() + ms).toISOString(), failures) });
