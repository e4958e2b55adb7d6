/**
 * Limits of calls to AWS, of deployed resources, and of retention. A test compares the call times with leases and the
 * gateway.
 */
export const PLATFORM_LIMITS = {
  awsConnectMs: 1_000,
  awsAttemptsMax: 3,
  /** A call that a busy service refused is repeated after a random part of 40 ms, 80 ms and so on, at most of 1 s. */
  busyPauseMs: 20,
  busyPauseMaxMs: 1_000,
  /** Longest wait for a busy service outside a message: an API function must answer soon. */
  busyWaitMs: 3_000,
  /** Timeout of a call to the table. A write that hangs must be aborted before another worker may take the lease. */
  tableCallMs: 3_500,
  keyCallMs: 2_000,
  /** Timeout of an S3 call, including the body of at most 64 MiB. */
  objectCallMs: 8_500,
  /** Timeout of an S3 call that a request can do without. */
  quickObjectCallMs: 2_000,
  parameterReadMs: 5_000,
  pageFilesParallelMax: 8,
  /** Timeout of an answer to CloudFormation, which must get the answer well before the function ends. */
  deploymentAnswerMs: 10_000,
  /** Longest reason in an answer to CloudFormation, since an answer holds 4 KB. */
  deploymentReasonCharsMax: 1_000,
  /** Number of objects that S3 lists and deletes in one call. */
  objectsRemovedAtOnceMax: 1_000,
  /** Time that must be left in an invocation to remove another 1,000 objects and to answer. */
  emptyingReserveMs: 60_000,
  retentionDays: 90,
} as const;

/** Time to live of every item with the standard retention, in seconds. */
export const RETENTION_SECONDS = PLATFORM_LIMITS.retentionDays * 86_400;
