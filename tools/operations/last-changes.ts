/** When CloudFormation changed the stacks of a stage last: by its own clock, which tells who else deployed. */
import { StandardRetryStrategy } from '@smithy/core/retry';
import { load } from 'cheerio';
import { describeStack } from '#shared/platform/signed-request.ts';
import { AppError } from '#shared/values/app-error.ts';
import { askPatiently } from './ask-patiently.ts';

/** CloudFormation did not say: these credentials may not ask, or it is another region. */
class StackUnreadable extends AppError {}

/** More than the SDK's three: who asks has just deployed, and may wait half a minute. */
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
 * One stack after the other: CloudFormation bounds how often it is asked (AWS's documents).
 * @throws StackUnreadable; what `fetch` rejects with when nobody answers
 */
export const readLastChanges = async (
  stacks: readonly string[],
  retries = new StandardRetryStrategy(TRIES_MAX),
): Promise<Record<string, string | null>> => {
  const found: Record<string, string | null> = {};
  for (const stack of stacks) found[stack] = await lastChange(stack, retries);
  return found;
};
