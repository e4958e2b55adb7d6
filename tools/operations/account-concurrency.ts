/**
 * Reads the number of concurrent executions that AWS allows an account in a region, with the operator's own
 * credentials.
 */
import * as z from 'zod';
import { LEAST_ACCOUNT, refuseTooManyWorkers } from '#infra/concurrency.ts';
import type { Stage } from '#infra/stages.ts';
import { signedRequest } from '#shared/platform/signed-request.ts';

/** Name of the quota in Service Quotas. */
export const QUOTA = 'Lambda "Concurrent executions" (L-B99A9384)';
const PATH = '/2016-08-19/account-settings';
const ANSWER_MS = 10_000;

const Answer = z.object({
  AccountLimit: z.object({ ConcurrentExecutions: z.int(), UnreservedConcurrentExecutions: z.int() }),
});

export interface AccountConcurrency {
  /** Value of the quota for the account. */
  account: number;
  /** The part of the quota that remains after reserved concurrency; our functions reserve none. */
  unreserved: number;
}

/**
 * Calls GetAccountSettings of Lambda with a signed request, because the SDK's client would be a dependency for only one
 * request.
 * @throws Error when the region is not set, there are no credentials, or AWS refuses the request
 */
export const readAccountConcurrency = async (): Promise<AccountConcurrency> => {
  const response = await signedRequest('lambda', { method: 'GET', path: PATH, timeoutMs: ANSWER_MS });
  if (!response.ok)
    throw new Error(
      `lambda:GetAccountSettings answered ${response.status}: check the permissions of these credentials`,
    );
  const answer = Answer.safeParse(await response.json());
  if (!answer.success) throw new Error('lambda:GetAccountSettings answered in an unknown form');
  const { ConcurrentExecutions: account, UnreservedConcurrentExecutions: unreserved } = answer.data.AccountLimit;
  return { account, unreserved };
};

/** Returns instructions for an account that has less concurrency than the stage needs; null when it has enough. */
export const findLack = (
  { account, unreserved }: AccountConcurrency,
  { name, concurrency }: Pick<Stage, 'name' | 'concurrency'>,
): string | null => {
  const wanted = concurrency.account;
  if (unreserved >= wanted) return null;
  const reserved = account - unreserved;
  return [
    `stage ${name} wants ${wanted} functions at once, and the account has ${unreserved} in this region` +
      (reserved > 0 ? ` (${account}, of which ${reserved} are reserved by other functions)` : ''),
    `request an increase of the quota ${QUOTA}:`,
    `  aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${wanted + reserved}`,
    unreserved >= LEAST_ACCOUNT
      ? `or lower \`concurrency\` of the stage in infra/stages.ts, \`account\` included: the minimum is ${LEAST_ACCOUNT}`
      : `no \`concurrency\` of the stage is low enough: the minimum is ${LEAST_ACCOUNT}`,
  ].join('\n');
};

/**
 * Checks whether the stage can be deployed to the account of the operator's credentials. `lack` says what the operator
 * must do first; it is null when the concurrency is enough.
 * @throws Error for a stage with invalid settings, and the errors of `readAccountConcurrency`
 */
export const checkConcurrency = async (
  stage: Pick<Stage, 'name' | 'concurrency'>,
): Promise<{ lack: string | null; told: string }> => {
  refuseTooManyWorkers(stage);
  const found = await readAccountConcurrency();
  const { account: wanted } = stage.concurrency;
  const told = `stage ${stage.name} wants ${wanted} functions at once, the account has ${found.unreserved}`;
  return { lack: findLack(found, stage), told };
};
