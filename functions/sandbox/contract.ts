/** The simulated institutions of a stage: one function, which a stage has only on request (docs/adr/0009). */
export const contract = {
  id: 'sandbox',
  /** Shorter than the gateway's limit of 30 s. */
  timeoutSeconds: 29,
  /** A large month is generated in one call, and CPU grows with memory. */
  memoryMb: 1_024,
} as const;
