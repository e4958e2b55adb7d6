/**
 * AWS clients, one each per environment, made at first use. Endpoints come from the SDK's own variables
 * (`AWS_ENDPOINT_URL_<SERVICE>`) where the local runner stands in for AWS.
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

export const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

export const documentClient = /* @__PURE__ */ once(() =>
  DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 5 }), {
    marshallOptions: { removeUndefinedValues: true },
  }),
);
