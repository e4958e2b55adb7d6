/**
 * Trigger: CloudFormation, when the stack of the dashboard is made, changed, taken back or deleted. It may ask twice: what
 * is copied is copied over itself, and an empty bucket stays empty. CloudFormation waits for an answer at an address that
 * it names; when that cannot be given we throw, and Lambda, which is asked asynchronously, asks us twice more.
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
