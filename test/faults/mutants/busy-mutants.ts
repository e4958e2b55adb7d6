/** Mutants of the rules about services of AWS that are busy. */
import { type Mutant, one } from './mutant.ts';

const FAILURE = 'shared/sync/task-failure.ts';
const PATIENCE = 'shared/platform/patience.ts';
const TABLE = 'shared/table/table.ts';

export const BUSY_MUTANTS: readonly Mutant[] = [
  one('busy: counted as an attempt', FAILURE, '  if (error instanceof ServiceBusy) return handOverBusy(error);\n', ''),
  one(
    'busy: hand-over forgotten at the margin',
    FAILURE,
    "return { kind: 'hand-over', delayMs: SYNC_LIMITS.busyHandOverMs * (0.5 + Math.random() / 2) };",
    "return { kind: 'clean-up' };",
  ),
  one(
    'busy: a refused call not repeated',
    PATIENCE,
    '      if (!isBusy(error)) throw error;\n',
    '      throw error;\n',
  ),
  one(
    'busy: a refused transaction not repeated',
    PATIENCE,
    "['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']",
    "['TransactionConflict']",
  ),
  one(
    'busy: a batch written in part not completed',
    TABLE,
    "if (left.length > 0) throw new Unprocessed('batchWrite');",
    '',
  ),
  one(
    'busy: a renewal that waits ends its lease as lost',
    'shared/sync/task/heartbeat.ts',
    'controller.abort(error instanceof ServiceBusy ? error : new LeaseLost());',
    'controller.abort(new LeaseLost());',
  ),
];
