/** What CloudFormation is told, at the signed address that came with its question. The address must be in no log. */

import type {
  CloudFormationCustomResourceEvent as Asked,
  CloudFormationCustomResourceResponse as Told,
} from 'aws-lambda';
import { PLATFORM_LIMITS } from '#shared/platform/limits.ts';
import { AppError } from '#shared/values/app-error.ts';

/** CloudFormation did not take the answer. */
class NotAnswered extends AppError {
  constructor(status: number) {
    super(`CloudFormation answered ${status}`);
  }
}

/** The bucket: as long as it is the same, so is this resource, and nothing is withdrawn from it. */
const idOf = (event: Asked): string =>
  event.RequestType === 'Delete' ? event.PhysicalResourceId : String(event.ResourceProperties.bucket);

/** @throws NotAnswered; TypeError or TimeoutError when the address cannot be reached. */
export const answer = async (event: Asked, failure: Error | null): Promise<void> => {
  const { StackId, RequestId, LogicalResourceId } = event;
  const about = { StackId, RequestId, LogicalResourceId, PhysicalResourceId: idOf(event) };
  const told: Told =
    failure === null
      ? { ...about, Status: 'SUCCESS' }
      : {
          ...about,
          Status: 'FAILED',
          // Read by whoever deploys, who may see all of it; an answer holds 4 KB.
          Reason: `${failure.name}: ${failure.message}`.slice(0, PLATFORM_LIMITS.deploymentReasonCharsMax),
        };
  const { status, ok } = await fetch(event.ResponseURL, {
    method: 'PUT',
    // As bytes: a text would come with a content type, which the address was not signed for.
    body: Buffer.from(JSON.stringify(told)),
    signal: AbortSignal.timeout(PLATFORM_LIMITS.deploymentAnswerMs),
  });
  if (!ok) throw new NotAnswered(status);
};
