/** Broken rules of the sweeper (docs/architecture.md §5.8). */
import { type Mutant, one } from './mutant.ts';

const SWEEP = 'shared/recovery/sweep.ts';

export const SWEEP_MUTANTS: readonly Mutant[] = [
  one(
    'sweep reads only the first page of a shard',
    'shared/table/table.ts',
    'wanted)) yield (Items ?? []) as DueEntry[];',
    'wanted)) return void (yield (Items ?? []) as DueEntry[]);',
  ),
  one(
    'sweep leaves an item due that it cannot handle',
    SWEEP,
    '    await quietly(postponeFailed(entry, failedMs(failures), failures), overdue);\n',
    '',
  ),
  one(
    'sweep tries an item each minute that it cannot handle',
    SWEEP,
    'Math.min(2 ** (failures - 1), RECOVERY_LIMITS.failedSweepsMax)',
    '1',
  ),
  one('sweep reminds scopes of a slow queue', SWEEP, '!(await now.isSlow(task.source, task.scope))', 'now.hasTime()'),
];
