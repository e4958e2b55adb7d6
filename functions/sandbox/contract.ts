/** The simulated institutions of a stage: one function, which a stage has only when it is asked for (docs/adr/0009). */
export const contract = {
  id: 'sandbox',
  /** Ends before the gateway does, which waits for 30 s. */
  timeoutSeconds: 29,
  /** A large month is generated in one go: CPU comes with memory. */
  memoryMb: 1_024,
} as const;
