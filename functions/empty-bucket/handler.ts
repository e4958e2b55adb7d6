/**
 * Trigger: CloudFormation, when a stack with a data bucket is created, changed or deleted. The function empties the
 * bucket only while the whole stack is deleted. If a change removes this resource from the template (a rename, or a
 * stage that now retains its data), CloudFormation also requests a deletion; the bucket and its objects then stay.
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
