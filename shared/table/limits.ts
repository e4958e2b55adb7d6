/** Limits of the table and its leases (docs/architecture.md §4). */
export const TABLE_LIMITS = {
  tableCollisionAttemptsMax: 8,
  tableUnprocessedAttemptsMax: 12,
  /** Requests in flight per writer: with 25 items each this saturates dynoxide on 2 cores and stays polite on AWS. */
  tableParallelMax: 8,
  /** Nobody takes a lease before so long after it ended; row writes stop so long before. */
  leaseMarginMs: 15_000,
  /**
   * A worker that was taken over may still write so long: three times what its invocation may last. Then a deleted
   * connection is purged, and a period whose index somebody else made is looked at again.
   */
  lateWriteMs: 900_000,
} as const;
