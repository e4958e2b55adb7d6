/**
 * AWS clients, one each per environment, made at first use. Endpoints come from the SDK's own variables
 * (`AWS_ENDPOINT_URL_<SERVICE>`) where the local runner stands in for AWS.
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { PLATFORM_LIMITS } from '#shared/platform/limits.ts';
import { bounded } from './bounded-calls.ts';
import { lazy } from './lazy.ts';

interface WithStack {
  middlewareStack: { remove(name: string): boolean };
}

/**
 * The SDK makes a copy of every request and answer for a logger, and we give it none: 5 % of what a writer of rows
 * computes. Neither may be logged anyway.
 */
export const withoutSdkLogging = <C extends WithStack>(client: C): C => {
  client.middlewareStack.remove('loggerMiddleware');
  return client;
};

export const documentClient = /* @__PURE__ */ lazy(() =>
  DynamoDBDocumentClient.from(
    withoutSdkLogging(new DynamoDBClient(bounded(PLATFORM_LIMITS.tableCallMs, PLATFORM_LIMITS.awsAttemptsMax))),
    {
      marshallOptions: { removeUndefinedValues: true },
    },
  ),
);
