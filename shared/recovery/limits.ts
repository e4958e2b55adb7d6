/** Limits of the sweeper and of purges. */
export const RECOVERY_LIMITS = {
  /** Must equal the schedule in the contract of `sweep`. */
  sweepEveryMs: 60_000,
  /** The interval between the sweeper's reminders of overdue work grows from one sweep to this many sweeps. */
  reminderSweepsMax: 2,
  sweepItemsPerShardMax: 100,
  /** After this time, a purge step without a result counts as dead. The time is longer than the step's invocation. */
  purgeStepMs: 360_000,
} as const;
