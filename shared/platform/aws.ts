/**
 * Creates AWS clients, one of each kind per environment, at first use. If the local runner replaces AWS, endpoints come
 * from the SDK's own variables (`AWS_ENDPOINT_URL_<SERVICE>`).
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { PLATFORM_LIMITS } from '#shared/platform/limits.ts';
import { bounded } from './bounded-calls.ts';
import { lazy } from './lazy.ts';
import { makePatient } from './patience.ts';

interface WithStack {
  middlewareStack: { remove(name: string): boolean };
}

/**
 * Removes the SDK's logging, which copies every request and answer although we set no logger. This saves 5 % of a row
 * writer's compute time. Requests and answers may not be logged anyway.
 */
export const withoutSdkLogging = <C extends WithStack>(client: C): C => {
  client.middlewareStack.remove('loggerMiddleware');
  return client;
};

export const documentClient = /* @__PURE__ */ lazy(() =>
  makePatient(
    DynamoDBDocumentClient.from(
      withoutSdkLogging(new DynamoDBClient(bounded(PLATFORM_LIMITS.tableCallMs, PLATFORM_LIMITS.awsAttemptsMax))),
      {
        marshallOptions: { removeUndefinedValues: true },
      },
    ),
  ),
);
