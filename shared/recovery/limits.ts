/** Limits of the sweeper and of purges. */
export const RECOVERY_LIMITS = {
  /** As the contract of `sweep` says. */
  sweepEveryMs: 60_000,
  /** The sweeper's reminders of overdue work grow from one sweep to so many. */
  reminderSweepsMax: 2,
  sweepItemsPerShardMax: 100,
  /** A step of a purge that is not heard of: longer than its invocation lasts. */
  purgeStepMs: 360_000,
} as const;
