/** Limits of connections and their schedules (docs/decisions.md §6). */
export const CONNECTION_LIMITS = {
  connectionsPerOrganizationMax: 1_000,
  /** How often a change of a connection is decided anew when others change it meanwhile. */
  connectionChangeAttemptsMax: 10,
  sweepParallelMax: 10,
  /** One call of Scheduler: create and update, tried twice each, fit into an API function's 29 s. */
  schedulerCallMs: 3_000,
  schedulerAttemptsMax: 2,
  schedulerPutAttemptsMax: 3,
  scheduleSettleAttemptsMax: 5,
  /** Scheduler is compared with the table so often. */
  scheduleCheckMs: 86_400_000,
  /** Scheduler lists no more at a time. */
  schedulesPerPage: 100,
  schedulePagesPerSweepMax: 20,
} as const;
