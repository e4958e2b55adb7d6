/**
 * Names of folders, queues and sources in the spelling of code and of CloudFormation, and names that are derived from
 * the stage. A stack that finds a resource by its derived name needs no export; an export would prevent the other stack
 * from removing the resource (docs/adr/0023).
 */
import { SERVICE } from '#shared/platform/metric-catalogue.ts';
import type { Stage } from './stages.ts';

/** Converts a name to upper camel case: `sync-requests` becomes `SyncRequests`. */
export const pascal = (kebab: string): string =>
  kebab.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Converts a name to lower camel case: `sync-requests` becomes `syncRequests`. */
export const camel = (kebab: string): string => kebab.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns the name of the current table; a restored table has the next generation (docs/adr/0028). */
export const tableName = ({ name, tableGeneration }: Pick<Stage, 'name' | 'tableGeneration'>): string =>
  `${SERVICE}-${name}-table-${tableGeneration}`;

/**
 * Attribute with the time at which DynamoDB deletes the item, in seconds since the epoch; `shared/table/ttl.ts` writes
 * it.
 */
export const TTL_ATTRIBUTE = 'expires_at_epoch';

/** Returns the beginning of the names of a stage's queues; a stage's name has no dash. */
export const queuePrefix = (stage: string): string => `${SERVICE}-${stage}-`;

/** @param queue a key of `QUEUES`, or a scope's queue */
export const queueName = (stage: string, queue: string): string => `${queuePrefix(stage)}${queue}`;

/** Name of the single dead-letter queue that all scopes share. */
export const ALL_SCOPES = 'scopes';

/** @param queue a key of `QUEUES`, or `ALL_SCOPES` */
export const deadLettersName = (stage: string, queue: string): string => `${queueName(stage, queue)}-dead-letters`;

/**
 * Returns the name of the log group for requests to an API or to the distribution (`edge`) of the stage. AWS adds a line
 * to the account's log policy, which has a limited size, for each group that is not under `/aws/vendedlogs/` (AWS's
 * documents).
 */
export const accessLogName = (stage: string, door: 'api' | 'sandbox' | 'edge'): string =>
  `/aws/vendedlogs/${SERVICE}-${stage}-${door}`;
