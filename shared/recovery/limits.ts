/** Limits of the sweeper and of purges. */
export const RECOVERY_LIMITS = {
  /** Must equal the schedule in the contract of `sweep`. */
  sweepEveryMs: 60_000,
  /** A sweep begins no other item when less than this is left of its invocation. */
  sweepLeftMs: 15_000,
  /** Entries that a sweep lists of each of the eight shards. An entry of a task takes about 2 KB of memory. */
  listedPerShardMax: 10_000,
  /** With more due items than this, waiting items are checked less often. */
  sweepItemsMax: 2_000,
  /** Longest time between two checks of a waiting item, in sweeps. */
  againSweepsMax: 15,
  /** Longest time between two attempts at an item whose handling fails, in sweeps. */
  failedSweepsMax: 16,
  /** The interval between the sweeper's reminders of overdue work grows from one sweep to this many sweeps. */
  reminderSweepsMax: 2,
  /** Time between two checks of a scope that a slow queue holds. */
  slowLookMs: 300_000,
  /** A scope that a slow queue holds gets a reminder this long after its message, in case the message was lost. */
  slowReminderMs: 3_600_000,
  /** After this time, a purge step without a result counts as dead. The time is longer than the step's invocation. */
  purgeStepMs: 360_000,
} as const;
