/**
 * Names and ARNs of resources that stacks find without an export: the table and the queues, in the account and region
 * of the deploy.
 */
import { Aws } from 'aws-cdk-lib';
import { deadLettersName, queueName, queuePrefix, tableName } from '#infra/names.ts';
import type { Stage } from '#infra/stages.ts';

const arn = (service: string, resource: string): string =>
  `arn:${Aws.PARTITION}:${service}:${Aws.REGION}:${Aws.ACCOUNT_ID}:${resource}`;

export const tableArn = (stage: Stage): string => arn('dynamodb', `table/${tableName(stage)}`);

export const queueArn = (stage: string, queue: string): string => arn('sqs', queueName(stage, queue));

/** @param queue a key of `QUEUES`, or `ALL_SCOPES`, as for `deadLettersName` */
export const deadLettersArn = (stage: string, queue: string): string => arn('sqs', deadLettersName(stage, queue));

/** Returns the beginning of a queue's URL; a key of `QUEUES` or a scope's queue follows it. */
export const queueUrlPrefix = (stage: string): string =>
  `https://sqs.${Aws.REGION}.${Aws.URL_SUFFIX}/${Aws.ACCOUNT_ID}/${queuePrefix(stage)}`;
