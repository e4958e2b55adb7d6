/** What CloudFormation is doing with a stack. */
import { describeStack } from '#shared/platform/signed-request.ts';
import { AppError } from '#shared/values/app-error.ts';

class StackUnknown extends AppError {
  constructor(status: number) {
    super(`CloudFormation was asked what becomes of the stack and answered ${status}`);
  }
}

/**
 * Is all of it being deleted, rather than changed?
 * @throws StackUnknown; TypeError or TimeoutError when nobody answers
 */
export const isBeingDeleted = async (stackId: string): Promise<boolean> => {
  const answer = await describeStack(stackId);
  const [, status] = /<StackStatus>([A-Z_]+)<\/StackStatus>/.exec(await answer.text()) ?? [];
  if (!answer.ok || status === undefined) throw new StackUnknown(answer.status);
  return status === 'DELETE_IN_PROGRESS';
};
