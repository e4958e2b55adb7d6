/** Limits of messages. */
export const MESSAGING_LIMITS = {
  queueCallMs: 2_000,
  /** Time that a message may take before the sweeper checks the item that the message names. */
  messageGraceMs: 60_000,
  /**
   * Longest delay of a message. SQS refuses longer delays. Our queue module also checks this, because fauxqs does not.
   */
  messageDelaySecondsMax: 900,
} as const;
