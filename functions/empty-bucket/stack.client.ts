/** What CloudFormation is doing with a stack. */
import { LIMITS } from '#shared/platform/limits.ts';
import { signedPost } from '#shared/platform/signed-post.ts';
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
  const asked = new URLSearchParams({ Action: 'DescribeStacks', Version: '2010-05-15', StackName: stackId });
  const answer = await signedPost('cloudformation', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: asked.toString(),
    timeoutMs: LIMITS.deploymentAnswerMs,
  });
  const [, status] = /<StackStatus>([A-Z_]+)<\/StackStatus>/.exec(await answer.text()) ?? [];
  if (!answer.ok || status === undefined) throw new StackUnknown(answer.status);
  return status === 'DELETE_IN_PROGRESS';
};
