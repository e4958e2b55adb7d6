/**
 * Limits of calls to AWS, of deployed resources, and of retention. A test compares the call times with leases and the
 * gateway.
 */
export const PLATFORM_LIMITS = {
  awsConnectMs: 1_000,
  awsAttemptsMax: 3,
  /** A write that hangs must be aborted before another worker may take the lease. */
  tableCallMs: 3_500,
  keyCallMs: 2_000,
  /** Includes the body of at most 64 MiB. */
  objectCallMs: 8_500,
  parameterReadMs: 5_000,
  pageFilesParallelMax: 8,
  /** CloudFormation must get the answer well before the function ends. */
  deploymentAnswerMs: 10_000,
  /** Length of the reason, since an answer to CloudFormation holds 4 KB. */
  deploymentReasonCharsMax: 1_000,
  /** The number that S3 lists and deletes in one call. */
  objectsRemovedAtOnceMax: 1_000,
  /** Time that must be left in an invocation to remove another 1,000 objects and to answer. */
  emptyingReserveMs: 60_000,
  retentionDays: 90,
} as const;

/** Time to live of every item with the standard retention, in seconds. */
export const RETENTION_SECONDS = PLATFORM_LIMITS.retentionDays * 86_400;
