/** Broken rules of tasks that share an invocation (docs/adr/0037). */
import { type Mutant, one } from './mutant.ts';

const TASKS = 'shared/sync/task/task.rules.ts';

export const SHARED_MUTANTS: readonly Mutant[] = [
  one(
    'a death in a shared invocation costs an attempt',
    TASKS,
    "task.state === 'handover' || diedShared(task) ?",
    "task.state === 'handover' ?",
  ),
  one(
    'a task shares an invocation again after a death',
    TASKS,
    'task.runsAlone === true || diedShared(task);',
    'task.runsAlone === true;',
  ),
];
