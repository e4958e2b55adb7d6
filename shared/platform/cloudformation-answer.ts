/**
 * Sends answers to CloudFormation, at the signed address that CloudFormation's request contains. This address must not
 * be logged.
 */

import type {
  CloudFormationCustomResourceEvent as Asked,
  CloudFormationCustomResourceResponse as Told,
} from 'aws-lambda';
import { PLATFORM_LIMITS } from '#shared/platform/limits.ts';
import { AppError } from '#shared/values/app-error.ts';

/** CloudFormation refused the answer. */
class NotAnswered extends AppError {
  constructor(status: number) {
    super(`CloudFormation answered ${status}`);
  }
}

/**
 * Returns the id of the resource, which is the bucket. While the id stays the same, CloudFormation considers the
 * resource unchanged and deletes nothing.
 */
const idOf = (event: Asked): string =>
  event.RequestType === 'Delete' ? event.PhysicalResourceId : String(event.ResourceProperties.bucket);

/**
 * @throws NotAnswered
 * @throws TypeError or TimeoutError if the address cannot be reached
 */
export const answer = async (event: Asked, failure: Error | null): Promise<void> => {
  const { StackId, RequestId, LogicalResourceId } = event;
  const about = { StackId, RequestId, LogicalResourceId, PhysicalResourceId: idOf(event) };
  const told: Told =
    failure === null
      ? { ...about, Status: 'SUCCESS' }
      : {
          ...about,
          Status: 'FAILED',
          // The person who deploys sees this text and is allowed to see every detail. An answer holds at most 4 KB.
          Reason: `${failure.name}: ${failure.message}`.slice(0, PLATFORM_LIMITS.deploymentReasonCharsMax),
        };
  const { status, ok } = await fetch(event.ResponseURL, {
    method: 'PUT',
    // The body is sent as bytes, because a string would add a content type that the signature does not include.
    body: Buffer.from(JSON.stringify(told)),
    signal: AbortSignal.timeout(PLATFORM_LIMITS.deploymentAnswerMs),
  });
  if (!ok) throw new NotAnswered(status);
};
