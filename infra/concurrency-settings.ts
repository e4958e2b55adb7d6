/** How many functions of a stage may be at work at once: part of its settings. */
import * as z from 'zod';

/** By AWS's documents: less than two a mapping does not take. */
export const MAPPING_MIN = 2;
const ofMapping = z.int().min(MAPPING_MIN).max(1_000);

/**
 * Functions at work at once. The sum over the workers must leave the API its reserve of the account's: a stage where it
 * does not is refused at synth (`infra/concurrency.ts`). Stages that share an account share its concurrency too.
 */
export const Concurrency = z.strictObject({
  /** What the stage wants of the account: its quota "Concurrent executions" in the region. */
  account: z.int().min(1),
  /** Of it for requests at the API, which no mapping bounds. */
  apiReserve: z.int().min(1),
  /** Of each scope. */
  scope: ofMapping,
  webhooks: ofMapping,
  dispatch: ofMapping,
  purge: ofMapping,
});
