/**
 * Trigger: CloudFormation, when a stack with a bucket of data is made, changed or deleted. It empties the bucket only while
 * the whole stack is deleted: a change that takes this resource out of the template, by another name or a stage that shall
 * keep its data from now on, asks for a deletion, too, and leaves the bucket with all that is in it.
 */
import type { CloudFormationCustomResourceEvent, Context } from 'aws-lambda';
import { answer } from '#shared/platform/cloudformation-answer.ts';
import { emptyBucket } from '#shared/platform/emptied-bucket.ts';
import { PLATFORM_LIMITS } from '#shared/platform/limits.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import { contract, Emptied } from './contract.ts';
import { isBeingDeleted } from './stack.client.ts';

const handleEvent = async (event: CloudFormationCustomResourceEvent, context: Context): Promise<void> => {
  if (event.RequestType !== 'Delete') {
    Emptied.parse(event.ResourceProperties);
    return;
  }
  if (!(await isBeingDeleted(event.StackId))) return;
  const hasTime = (): boolean => context.getRemainingTimeInMillis() > PLATFORM_LIMITS.emptyingReserveMs;
  const count = await emptyBucket(event.PhysicalResourceId, hasTime);
  log.info('a bucket was emptied', { operation: contract.id, count });
};

const failureOf = async (event: CloudFormationCustomResourceEvent, context: Context): Promise<Error | null> => {
  try {
    await handleEvent(event, context);
    return null;
  } catch (error) {
    log.error('a bucket could not be emptied', { operation: contract.id, ...describeError(error) });
    return error as Error;
  }
};

export const handler = async (event: CloudFormationCustomResourceEvent, context: Context): Promise<void> =>
  answer(event, await failureOf(event, context));
