/** Resources that stacks find without an export: the table and the queues, in the account and region of the deploy. */
import { Aws } from 'aws-cdk-lib';
import { deadLettersName, queueName, queuePrefix, tableName } from '#infra/names.ts';
import type { Stage } from '#infra/stages.ts';

const arn = (service: string, resource: string): string =>
  `arn:${Aws.PARTITION}:${service}:${Aws.REGION}:${Aws.ACCOUNT_ID}:${resource}`;

export const tableArn = (stage: Stage): string => arn('dynamodb', `table/${tableName(stage)}`);

export const queueArn = (stage: string, queue: string): string => arn('sqs', queueName(stage, queue));

/** @param queue same values as for `deadLettersName` */
export const deadLettersArn = (stage: string, queue: string): string => arn('sqs', deadLettersName(stage, queue));

/** A queue's URL is this prefix followed by its own name. */
export const queueUrlPrefix = (stage: string): string =>
  `https://sqs.${Aws.REGION}.${Aws.URL_SUFFIX}/${Aws.ACCOUNT_ID}/${queuePrefix(stage)}`;
