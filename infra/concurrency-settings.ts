/** Concurrency of a stage's functions, as part of its settings. */
import * as z from 'zod';

/** From AWS's documents: a mapping does not accept less than two. */
export const MAPPING_MIN = 2;
const ofMapping = z.int().min(MAPPING_MIN).max(1_000);

/**
 * Concurrent executions. The sum over the workers must leave the API its reserve of the account's quota; otherwise
 * synth refuses the stage (`infra/concurrency.ts`). Stages in one account also share its concurrency.
 */
export const Concurrency = z.strictObject({
  /** Quota "Concurrent executions" that the stage needs in its account and region. */
  account: z.int().min(1),
  /** Part of the quota for API requests, which no mapping limits. */
  apiReserve: z.int().min(1),
  /** Concurrency of each scope. */
  scope: ofMapping,
  webhooks: ofMapping,
  dispatch: ofMapping,
  purge: ofMapping,
});
