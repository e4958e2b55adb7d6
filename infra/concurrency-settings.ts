/** Concurrency of a stage's functions, which is a part of the stage's settings. */
import * as z from 'zod';

/** Lowest concurrency that an event source mapping accepts (AWS's documents). */
export const MAPPING_MIN = 2;
const ofMapping = z.int().min(MAPPING_MIN).max(1_000);

/**
 * Concurrent executions of a stage. The sum over the workers plus the API's reserve must not exceed the account's
 * quota; otherwise synth refuses the stage (`infra/concurrency.ts`). Stages in one account also share its concurrency.
 */
export const Concurrency = z.strictObject({
  /** Value of the quota "Concurrent executions" that the stage needs in its account and region. */
  account: z.int().min(1),
  /** Part of the quota that is reserved for API requests, because no mapping limits their concurrency. */
  apiReserve: z.int().min(1),
  /** Highest concurrency of each scope's worker. */
  scope: ofMapping,
  webhooks: ofMapping,
  dispatch: ofMapping,
  purge: ofMapping,
});
