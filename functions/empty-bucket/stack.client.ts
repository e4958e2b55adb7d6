/** Reads from CloudFormation what is happening to a stack. */
import { describeStack } from '#shared/platform/signed-request.ts';
import { AppError } from '#shared/values/app-error.ts';

class StackUnknown extends AppError {
  constructor(status: number) {
    super(`CloudFormation was asked what becomes of the stack and answered ${status}`);
  }
}

/**
 * True if the whole stack is being deleted.
 * @throws StackUnknown; TypeError or TimeoutError when there is no answer
 */
export const isBeingDeleted = async (stackId: string): Promise<boolean> => {
  const answer = await describeStack(stackId);
  const [, status] = /<StackStatus>([A-Z_]+)<\/StackStatus>/.exec(await answer.text()) ?? [];
  if (!answer.ok || status === undefined) throw new StackUnknown(answer.status);
  return status === 'DELETE_IN_PROGRESS';
};
