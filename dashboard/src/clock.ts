/** The only place that reads the time (house rule), so that a test can set any time. */
export const nowMs = (): number => Date.now();
