/** Limits of connections and their schedules (docs/decisions.md §6). */
export const CONNECTION_LIMITS = {
  connectionsPerOrganizationMax: 10_000,
  /** Most connections of one reference or RUT that are read one by one; for more, all connections are read. */
  foundByIndexMax: 100,
  /** Most connections that a page reads all; pages of more are chosen from a snapshot. */
  readAllMax: 200,
  /** Most connections that changed after the snapshot, or wait for a person, and are read one by one; for more, all are. */
  changedReadMax: 200,
  /** Number of changes after which a reader stores the next snapshot. */
  changedUntilSnapshot: 7,
  /** Time after which all connections are read again, because a worker of an earlier release notes no changes. */
  snapshotMs: 3_600_000,
  /** Time to live of the note of a change, in seconds: longer than any snapshot without it is read. */
  changedSeconds: 7_200,
  /** Most times that a page is chosen, if its connections change meanwhile; then all are read. */
  pageAttemptsMax: 3,
  /** Most attempts to change a connection if other requests change it in the meantime. */
  connectionChangeAttemptsMax: 10,
  /** Most other connections of the same login and company that a warning names. */
  loginSharersMax: 10,
  sweepParallelMax: 10,
  /** Timeout of one Scheduler call. A create and an update, with two attempts each, fit into an API function's 29 s. */
  schedulerCallMs: 3_000,
  schedulerAttemptsMax: 2,
  schedulerPutAttemptsMax: 3,
  scheduleSettleAttemptsMax: 5,
  /**
   * Time between a change of a schedule and its second comparison with the table. A late call of Scheduler's API may have
   * arrived by then.
   */
  scheduleSecondLookMs: 300_000,
  /** Time between two comparisons of Scheduler with the table. */
  scheduleCheckMs: 86_400_000,
  /** Maximum page size of Scheduler's list. */
  schedulesPerPage: 100,
  schedulePagesPerSweepMax: 20,
} as const;
