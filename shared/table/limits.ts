/** Limits of the table and its leases (docs/architecture.md §4). */
export const TABLE_LIMITS = {
  /**
   * Requests in flight per writer. With 25 items each, 8 requests saturate dynoxide on 2 cores and are moderate on AWS.
   */
  tableParallelMax: 8,
  /**
   * A lease can be taken only when this time has passed after its end, and the holder's row writes stop this long
   * before its end.
   */
  leaseMarginMs: 15_000,
  /**
   * Longest time in which a superseded worker may still write: 3 × the invocation limit. After this time, a deleted
   * connection is purged, and a period whose index another worker built is checked again.
   */
  lateWriteMs: 900_000,
} as const;
