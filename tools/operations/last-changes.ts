/** Reads when CloudFormation last changed each stack of a stage. These times reveal deploys from other machines. */
import { StandardRetryStrategy } from '@smithy/core/retry';
import { load } from 'cheerio';
import { describeStack } from '#shared/platform/signed-request.ts';
import { AppError } from '#shared/values/app-error.ts';
import { askPatiently } from './ask-patiently.ts';

/** Thrown when CloudFormation refuses the request: the credentials do not allow it, or the region is wrong. */
class StackUnreadable extends AppError {}

/**
 * Number of tries. It is higher than the SDK's three, because the caller has just deployed and may wait half a minute.
 */
const TRIES_MAX = 6;

const lastChange = async (stack: string, retries: StandardRetryStrategy): Promise<string | null> => {
  const { ok, status, text } = await askPatiently(() => describeStack(stack), retries);
  if (ok) {
    const member = load(text, { xml: true })('Stacks > member').first();
    if (member.children('StackStatus').text() === 'DELETE_COMPLETE') return null;
    const time = member.children('LastUpdatedTime').text() || member.children('CreationTime').text();
    if (time !== '') return time;
  } else if (text.includes('does not exist')) return null;
  throw new StackUnreadable(`cloudformation:DescribeStacks of ${stack} answered ${status}: may these credentials ask?`);
};

/**
 * Resolves with the time of each stack's last change. Reads one stack after the other, because CloudFormation limits
 * its request rate (AWS's documents).
 * @throws StackUnreadable; the error of `fetch` when there is no answer
 */
export const readLastChanges = async (
  stacks: readonly string[],
  retries = new StandardRetryStrategy(TRIES_MAX),
): Promise<Record<string, string | null>> => {
  const found: Record<string, string | null> = {};
  for (const stack of stacks) found[stack] = await lastChange(stack, retries);
  return found;
};
