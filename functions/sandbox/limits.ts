/** Limits of the simulated institutions of a stage (docs/adr/0009). */
export const SANDBOX_LIMITS = {
  /** The gateway gives up after 30 s; the sandbox must have stored its state by then. */
  sandboxAnswerMs: 25_000,
  /** How often a request is answered again after another request with the same credential was faster. */
  sandboxAttemptsMax: 10,
  /** After this time without use, the institution forgets a credential. */
  sandboxMemoryDays: 7,
} as const;
