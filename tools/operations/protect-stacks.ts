/** Protects the stacks of a stage that retains its data from deletion, with CloudFormation's termination protection. */
import { StandardRetryStrategy } from '@smithy/core/retry';
import { askCloudFormation } from '#shared/platform/signed-request.ts';
import { AppError } from '#shared/values/app-error.ts';
import { askPatiently } from './ask-patiently.ts';

/** Thrown when CloudFormation refuses the request: the credentials do not allow it, or the stack does not exist. */
class StackUnprotected extends AppError {}

/** Number of tries, as for the times of changes. */
const TRIES_MAX = 6;

/** @throws StackUnprotected; the error of `fetch` when there is no answer */
export const protectStacks = async (
  stacks: readonly string[],
  retries = new StandardRetryStrategy(TRIES_MAX),
): Promise<void> => {
  for (const stack of stacks) {
    const ask = () =>
      askCloudFormation('UpdateTerminationProtection', { StackName: stack, EnableTerminationProtection: 'true' });
    const { ok, status } = await askPatiently(ask, retries);
    if (!ok)
      throw new StackUnprotected(
        `cloudformation:UpdateTerminationProtection of ${stack} answered ${status}: may these credentials ask?`,
      );
  }
};
