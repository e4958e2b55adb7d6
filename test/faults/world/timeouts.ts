/** Time limits of workers, as in their contracts. */
const MINUTE_MS = 60_000;

export const TIMEOUT_MS: Readonly<Record<string, number>> = {
  'sync-scope': 5 * MINUTE_MS,
  'deliver-webhook': MINUTE_MS,
  'dispatch-sync': MINUTE_MS,
  'purge-connection': 5 * MINUTE_MS,
  sweep: MINUTE_MS,
};
