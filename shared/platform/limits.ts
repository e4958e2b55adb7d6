/** Limits of calls to AWS, of what a stack deploys, and of retention. A test compares call times with leases and the gateway. */
export const PLATFORM_LIMITS = {
  awsConnectMs: 1_000,
  awsAttemptsMax: 3,
  /** A write that hangs must be given up before another may take its lease. */
  tableCallMs: 3_500,
  keyCallMs: 2_000,
  /** With its body: 64 MiB at most. */
  objectCallMs: 8_500,
  parameterReadMs: 5_000,
  pageFilesParallelMax: 8,
  /** CloudFormation must hear of it well before the function ends. */
  deploymentAnswerMs: 10_000,
  /** An answer to CloudFormation holds 4 KB. */
  deploymentReasonCharsMax: 1_000,
  /** As many as S3 lists, and deletes, in one call. */
  objectsRemovedAtOnceMax: 1_000,
  /** What must be left of an invocation to remove another thousand and to answer. */
  emptyingReserveMs: 60_000,
  retentionDays: 90,
} as const;

/** Time to live of every item that goes after the retention, in seconds. */
export const RETENTION_SECONDS = PLATFORM_LIMITS.retentionDays * 86_400;
