/** Lists the entries of the due index. */

import { nowIso } from '#shared/platform/clock.ts';
import { log } from '#shared/platform/logger.ts';
import { RECOVERY_LIMITS } from '#shared/recovery/limits.ts';
import { findDue } from '#shared/table/due-index.ts';
import { type DueEntry, dueShards, dueUpTo, parseDueKey } from '#shared/table/due-keys.ts';

export interface DueItems {
  runs: DueEntry[];
  tasks: DueEntry[];
  others: DueEntry[];
}

/** Reads all shards at once, oldest entries first, until the limit of a shard or the time of the sweep is reached. */
export const listDue = async (hasTime: () => boolean): Promise<DueItems> => {
  const due: DueItems = { runs: [], tasks: [], others: [] };
  const upTo = dueUpTo(nowIso());
  const readShard = async (shard: string): Promise<void> => {
    let left: number = RECOVERY_LIMITS.listedPerShardMax;
    for await (const page of findDue(shard, upTo)) {
      for (const entry of page) listFor(due, entry).push(entry);
      left -= page.length;
      if (left > 0 && hasTime()) continue;
      return log.warn('the sweeper did not read all due entries of a shard', { operation: 'sweep' });
    }
  };
  await Promise.all(dueShards().map(readShard));
  return due;
};

const listFor = (due: DueItems, entry: DueEntry): DueEntry[] => {
  const kind = parseDueKey(entry)?.kind;
  if (kind === 'run') return due.runs;
  return kind === 'work' ? due.tasks : due.others;
};
