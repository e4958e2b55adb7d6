/**
 * Names of folders, queues and sources as code and CloudFormation spell them, and the few that follow from the stage's: what
 * a stack imports by such a name needs no export, which would keep the other from losing it (docs/adr/0023).
 */
import { SERVICE } from '#shared/platform/metric-catalogue.ts';
import type { Stage } from './stages.ts';

/** `sync-requests` → `SyncRequests` */
export const pascal = (kebab: string): string =>
  kebab.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** `sync-requests` → `syncRequests` */
export const camel = (kebab: string): string => kebab.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The table that serves; a restored one is the next generation (docs/adr/0028). */
export const tableName = ({ name, tableGeneration }: Pick<Stage, 'name' | 'tableGeneration'>): string =>
  `${SERVICE}-${name}-table-${tableGeneration}`;

/** What DynamoDB deletes an item by: seconds since the epoch, as `shared/table/ttl.ts` writes them. */
export const TTL_ATTRIBUTE = 'expires_at_epoch';

/** What stands before a queue's own name: a stage's name has no dash. */
export const queuePrefix = (stage: string): string => `${SERVICE}-${stage}-`;

/** @param queue a key of `QUEUES`, or a scope's queue */
export const queueName = (stage: string, queue: string): string => `${queuePrefix(stage)}${queue}`;

/** What the scopes' one queue of dead letters is called, which all of them share. */
export const ALL_SCOPES = 'scopes';

/** @param queue a key of `QUEUES`, or `ALL_SCOPES` */
export const deadLettersName = (stage: string, queue: string): string => `${queueName(stage, queue)}-dead-letters`;
