/**
 * Mutants that name a month as complete which is not, or an earlier one than the last. One more is too rare for histories
 * and has its own test (`last-complete.test.ts`): a month decided by coverage that another run has replaced.
 */
import { type Mutant, one } from './mutant.ts';

const END = 'shared/sync/end/connection-end.ts';

export const COMPLETE_MUTANTS: readonly Mutant[] = [
  one(
    'complete: the scope that ends the run left out',
    'shared/sync/end/finish-run.ts',
    'lastComplete: await readLastComplete(connection, covered),',
    'lastComplete: await readLastComplete(connection, new Map()),',
  ),
  one(
    'complete: a month whose totals differ',
    'shared/sync/coverage/last-complete.rules.ts',
    " && verdict !== 'differs'",
    '',
  ),
  one('complete: a former month that is no longer complete', END, "['last_complete_period']", '[]'),
];
