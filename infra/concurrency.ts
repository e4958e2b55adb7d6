/**
 * Concurrency of each worker in a stage, and the check that the account's quota is enough for all workers and the API.
 */
import { MAPPING_MIN } from './concurrency-settings.ts';
import { QUEUE_CONSUMERS } from './manifest.ts';
import type { Stage } from './stages.ts';

type Workers = Omit<Stage['concurrency'], 'account' | 'apiReserve'>;

const FIXED: Readonly<Record<string, keyof Workers>> = {
  'sync-requests': 'dispatch',
  'webhook-deliveries': 'webhooks',
  purges: 'purge',
};

/** Returns the highest concurrency of a queue's worker. @param queue a key of `QUEUES`, or a scope's queue */
export const chooseConcurrency = (queue: string, { concurrency }: Pick<Stage, 'concurrency'>): number =>
  concurrency[FIXED[queue] ?? 'scope'];

/** Returns the sum of the workers' concurrency over all queues. */
export const workersAtOnce = (stage: Pick<Stage, 'concurrency'>): number =>
  QUEUE_CONSUMERS.reduce((sum, { queue }) => sum + chooseConcurrency(queue, stage), 0);

/** Lowest value of `account` for any stage: the sum of the minimum for every queue and of one function for the API. */
export const LEAST_ACCOUNT = QUEUE_CONSUMERS.length * MAPPING_MIN + 1;

/** @throws Error with the figures when the workers would use the API's reserve. */
export const refuseTooManyWorkers = (stage: Pick<Stage, 'name' | 'concurrency'>): void => {
  const { account, apiReserve, scope, webhooks, dispatch, purge } = stage.concurrency;
  const workers = workersAtOnce(stage);
  if (workers <= account - apiReserve) return;
  const scopes = QUEUE_CONSUMERS.filter(({ queue }) => FIXED[queue] === undefined).length;
  throw new Error(
    `stage ${stage.name}: ${workers} workers at once (${scopes} scopes × ${scope}, webhooks ${webhooks}, dispatch ${dispatch}, purge ${purge}) ` +
      `are more than the ${account - apiReserve} that remain of the account's ${account} after ${apiReserve} for the API: ` +
      'lower them, or raise concurrency.account in infra/stages.ts and the quota of the account',
  );
};
