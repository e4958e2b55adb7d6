/**
 * Trigger: CloudFormation, when the stack of the dashboard is created, changed, rolled back or deleted. CloudFormation
 * may send a request twice, and the function can repeat its work safely. The request contains an address at which
 * CloudFormation waits for the answer. If the answer cannot be sent, the function throws, and Lambda, which invokes it
 * asynchronously, retries twice.
 */
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { answer } from '#shared/platform/cloudformation-answer.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import { contract } from './contract.ts';
import { publish, withdraw } from './publish.ts';

const failureOf = async (event: CloudFormationCustomResourceEvent): Promise<Error | null> => {
  try {
    await (event.RequestType === 'Delete' ? withdraw(event.PhysicalResourceId) : publish(event.ResourceProperties));
    return null;
  } catch (error) {
    log.error('the files of the dashboard could not be put in place', {
      operation: contract.id,
      ...describeError(error),
    });
    return error as Error;
  }
};

export const handler = async (event: CloudFormationCustomResourceEvent): Promise<void> =>
  answer(event, await failureOf(event));
