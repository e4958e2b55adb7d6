/** Limits of messages. */
export const MESSAGING_LIMITS = {
  queueCallMs: 2_000,
  /** Longest wait for a busy queue, because the sweeper sends a lost message within minutes. */
  queueBusyMs: 20_000,
  /** Longest wait of a sweep for a busy service, because the next sweep begins a minute later. */
  sweepBusyMs: 20_000,
  /** Time that is left in an invocation when a message stops waiting for a busy service of AWS. */
  messageReserveMs: 5_000,
  /** From this number of waiting messages on, a queue counts as slow: a message that has not arrived is not lost. */
  slowQueueMessages: 100,
  /** Time that a message may take before the sweeper checks the item that the message names. */
  messageGraceMs: 60_000,
  /**
   * Longest delay of a message. SQS refuses longer delays. Our queue module also checks this, because fauxqs does not.
   */
  messageDelaySecondsMax: 900,
} as const;
