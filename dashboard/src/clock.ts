/** The one place that reads the time (house rule), so that a story can be told at any moment. */
export const nowMs = (): number => Date.now();
