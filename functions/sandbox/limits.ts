/** Limits of the simulated institutions of a stage (docs/adr/0009). */
export const SANDBOX_LIMITS = {
  /** The gateway stops after 30 s; the sandbox must have stored its state by then. */
  sandboxAnswerMs: 25_000,
  /**
   * Highest number of attempts to answer a request, when a concurrent request with the same credential stores its state
   * first.
   */
  sandboxAttemptsMax: 10,
  /** Days without use after which the institution deletes the state of a credential. */
  sandboxMemoryDays: 7,
} as const;
