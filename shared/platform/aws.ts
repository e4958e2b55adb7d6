/**
 * AWS clients, one each per environment, made at first use. Endpoints come from the SDK's own variables
 * (`AWS_ENDPOINT_URL_<SERVICE>`) where the local runner stands in for AWS.
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { envOptional } from './env.ts';

const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

export const documentClient = once(() =>
  DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 5 }), {
    marshallOptions: { removeUndefinedValues: true },
  }),
);

export const objectClient = once(() => {
  // A local endpoint has no name per bucket (local-and-deploy.md §1).
  const isLocal = envOptional('AWS_ENDPOINT_URL_S3') !== undefined;
  return new S3Client({ forcePathStyle: isLocal });
});
