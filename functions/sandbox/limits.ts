/** Limits of the simulated institutions of a stage (docs/adr/0009). */
export const SANDBOX_LIMITS = {
  /**
   * Longest time for an answer. The gateway stops after 30 s, and the sandbox must store its state before the gateway
   * stops.
   */
  sandboxAnswerMs: 25_000,
  /**
   * Highest number of attempts to answer one request. An attempt fails if a concurrent request with the same credential
   * stores its state first.
   */
  sandboxAttemptsMax: 10,
  /** Days without use after which the institution deletes the state of a credential. */
  sandboxMemoryDays: 7,
} as const;
