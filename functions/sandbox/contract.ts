/** The simulated institutions of a stage: one function, which is deployed only on request (docs/adr/0009). */
export const contract = {
  id: 'sandbox',
  /** Shorter than the gateway's limit of 30 s. */
  timeoutSeconds: 29,
  /** One call may generate a month with many rows, and the function's CPU grows with its memory. */
  memoryMb: 1_024,
} as const;
