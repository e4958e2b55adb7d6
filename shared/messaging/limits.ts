/** Limits of messages. */
export const MESSAGING_LIMITS = {
  queueCallMs: 2_000,
  /** How long a message may take before the sweeper checks its item. */
  messageGraceMs: 60_000,
  /** SQS refuses longer delays. Our queue module checks this too, because fauxqs does not. */
  messageDelaySecondsMax: 900,
} as const;
