/** Limits of the simulated institutions of a stage (docs/adr/0009). */
export const SANDBOX_LIMITS = {
  /** The gateway gives up after 30 s; what is remembered must be written by then. */
  sandboxAnswerMs: 25_000,
  /** How often a request is answered anew when others with the same credential were quicker. */
  sandboxAttemptsMax: 10,
  /** Of a credential that nobody uses: afterwards the institution has never seen it. */
  sandboxMemoryDays: 7,
} as const;
