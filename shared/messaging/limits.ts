/** Limits of messages. */
export const MESSAGING_LIMITS = {
  queueCallMs: 2_000,
  /** How long a sent message may take before the sweeper looks. */
  messageGraceMs: 60_000,
  /** SQS refuses more; fauxqs would not, so that our own queue module checks it. */
  messageDelaySecondsMax: 900,
} as const;
