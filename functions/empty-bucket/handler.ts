/**
 * Trigger: CloudFormation, when a stack with a data bucket is created, changed or deleted. The function empties the
 * bucket only while the whole stack is deleted. A change that removes this resource from the template (a rename, or a
 * stage that retains its data from now on) also requests a deletion, and then the bucket and its objects stay.
 */
import type { CloudFormationCustomResourceEvent, Context } from 'aws-lambda';
import { answer } from '#shared/platform/cloudformation-answer.ts';
import { emptyBucket } from '#shared/platform/emptied-bucket.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import { contract, Emptied } from './contract.ts';
import { isBeingDeleted } from './stack.client.ts';

const obey = async (event: CloudFormationCustomResourceEvent, context: Context): Promise<void> => {
  if (event.RequestType !== 'Delete') {
    Emptied.parse(event.ResourceProperties);
    return;
  }
  if (!(await isBeingDeleted(event.StackId))) return;
  const hasTime = (): boolean => context.getRemainingTimeInMillis() > LIMITS.emptyingReserveMs;
  const count = await emptyBucket(event.PhysicalResourceId, hasTime);
  log.info('a bucket was emptied', { operation: contract.id, count });
};

const failureOf = async (event: CloudFormationCustomResourceEvent, context: Context): Promise<Error | null> => {
  try {
    await obey(event, context);
    return null;
  } catch (error) {
    log.error('a bucket could not be emptied', { operation: contract.id, ...describeError(error) });
    return error as Error;
  }
};

export const handler = async (event: CloudFormationCustomResourceEvent, context: Context): Promise<void> =>
  answer(event, await failureOf(event, context));
