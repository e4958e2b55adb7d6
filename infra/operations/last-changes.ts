/** When CloudFormation changed the stacks of a stage last: by its own clock, which tells who else deployed. */
import { load } from 'cheerio';
import { describeStack } from '#shared/platform/signed-request.ts';
import { AppError } from '#shared/values/app-error.ts';

/** CloudFormation did not say: these credentials may not ask, or it is another region. */
class StackUnreadable extends AppError {}

const lastChange = async (stack: string): Promise<string | null> => {
  const answer = await describeStack(stack);
  const text = await answer.text();
  if (answer.ok) {
    const member = load(text, { xml: true })('Stacks > member').first();
    const time = member.children('LastUpdatedTime').text() || member.children('CreationTime').text();
    if (time !== '') return time;
  } else if (text.includes('does not exist')) return null;
  throw new StackUnreadable(
    `cloudformation:DescribeStacks of ${stack} answered ${answer.status}: may these credentials ask?`,
  );
};

/** @throws StackUnreadable */
export const readLastChanges = async (stacks: readonly string[]): Promise<Record<string, string | null>> =>
  Object.fromEntries(await Promise.all(stacks.map(async (stack) => [stack, await lastChange(stack)] as const)));
