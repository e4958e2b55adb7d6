/**
 * Maps each need of a contract to exact permissions and variables. This module only returns statements and variables;
 * the construct that creates functions applies them. A function cannot get a permission that is not defined here.
 */
import { Stack } from 'aws-cdk-lib';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { listScopeQueues, QUEUE_CONSUMERS } from '#infra/manifest.ts';
import type { Stage } from '#infra/stages.ts';
import { type Need, sourceBaseUrlVariable, sourcePaceVariable, VARIABLES } from '#shared/platform/needs.ts';
import { nameSecrets } from '#shared/platform/secret-resource.ts';
import { sessionStatements } from './base-env.ts';
import { type ConnectionSchedules, SCHEDULE_TARGET } from './connection-schedules.ts';
import {
  allow,
  bucketGrant,
  type DataStores,
  KEY_READ,
  KEY_WRITE,
  type NeedGrant,
  onlyArea,
  snapshotGrant,
  tableGrant,
} from './data-grants.ts';
import { deadLettersArn, queueArn, queueUrlPrefix, tableArn } from './imported-by-name.ts';

/**
 * Resources that one stack exports and other stacks import. The table and the queues are not exported, because stacks
 * find the table and the queues by their names.
 */
export interface SharedResources extends DataStores {
  /**
   * Encrypts the data keys of credentials, webhook secrets and stored sessions, so that read access to the table does
   * not reveal them.
   */
  secretsKey: Key;
  schedules: ConnectionSchedules;
}

/**
 * Returns the grant for schedules of the group only. The role with which schedules send messages may be passed only to
 * Scheduler.
 */
const scheduleGrant = (need: string, stage: Stage, { schedules: { group, role } }: SharedResources): NeedGrant => {
  const groupName = { [VARIABLES.scheduleGroup]: group.ref };
  const arn = Stack.of(group).formatArn({ service: 'scheduler', resource: 'schedule', resourceName: `${group.ref}/*` });
  if (need === 'schedules:delete') {
    return { environment: groupName, statements: [allow(['scheduler:DeleteSchedule'], [arn])] };
  }
  if (need === 'schedules:list') {
    // This action cannot be limited to a resource; it only returns names and states.
    return { environment: groupName, statements: [allow(['scheduler:ListSchedules'], ['*'])] };
  }
  return {
    environment: {
      ...groupName,
      [VARIABLES.scheduleRoleArn]: role.roleArn,
      [VARIABLES.scheduleTargetArn]: queueArn(stage.name, SCHEDULE_TARGET),
      [VARIABLES.scheduleDeadLettersArn]: deadLettersArn(stage.name, SCHEDULE_TARGET),
    },
    statements: [
      allow(
        ['CreateSchedule', 'DeleteSchedule', 'GetSchedule', 'UpdateSchedule'].map((action) => `scheduler:${action}`),
        [arn],
      ),
      allow(['iam:PassRole'], [role.roleArn], { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } }),
    ],
  };
};

/**
 * The local stage has no KMS. The local runner recognizes the variable by this value, and replaces it by the path of
 * its own key file.
 */
const LOCAL_KEY_FILE = '.local/encryption.key';

/**
 * Returns the grant to use the key for one kind of secrets only. KMS can check the kind, because the Encryption SDK
 * sends the name of the secret's resource with every call (AWS's documents).
 */
const secretsGrant = (
  stage: Stage,
  resources: SharedResources,
  verb: 'encrypt' | 'decrypt',
  pattern: string,
): NeedGrant => ({
  environment:
    stage.name === 'local'
      ? { [VARIABLES.encryptionKeyFile]: LOCAL_KEY_FILE }
      : { [VARIABLES.encryptionKeyArn]: resources.secretsKey.keyArn },
  statements: [
    allow([verb === 'encrypt' ? 'kms:GenerateDataKey' : 'kms:Decrypt'], [resources.secretsKey.keyArn], {
      StringLike: { 'kms:EncryptionContext:resource': pattern },
    }),
  ],
});

/** @throws Error for a queue that has no worker */
const knownQueueArn = (stage: Stage, name: string): string => {
  if (!QUEUE_CONSUMERS.some(({ queue }) => queue === name)) throw new Error(`no queue "${name}"`);
  return queueArn(stage.name, name);
};

const queueGrant = (stage: Stage, action: string, names: readonly string[]): NeedGrant => ({
  environment: { [VARIABLES.queueUrlPrefix]: queueUrlPrefix(stage.name) },
  statements: [
    allow(
      [action],
      names.map((name) => knownQueueArn(stage, name)),
    ),
  ],
});

const sourcesGrant = (stage: Stage): NeedGrant => ({
  environment: Object.fromEntries(
    Object.entries(stage.sources).flatMap(([code, { baseUrl, pace }]) => [
      ...(baseUrl === undefined ? [] : [[sourceBaseUrlVariable(code), baseUrl]]),
      ...(pace === undefined
        ? []
        : [[sourcePaceVariable(code), `${pace.callDelayMs},${pace.callsMax},${pace.windowMs}`]]),
    ]),
  ),
  statements: [],
});

/** @throws Error for a function in a stack that does not know the public origin */
const publicOriginGrant = (publicOrigin: string | undefined): NeedGrant => {
  if (publicOrigin === undefined) throw new Error('public-origin is for functions of the stack agents');
  return { environment: { [VARIABLES.publicOrigin]: publicOrigin }, statements: [] };
};

interface NeedContext {
  stage: Stage;
  resources: SharedResources;
  publicOrigin?: string | undefined;
}

/** @param source code of the source if the function is the worker of a scope; null for all other functions */
export const buildGrant = (
  need: Need,
  { stage, resources, publicOrigin }: NeedContext,
  source: string | null,
): NeedGrant => {
  const onTable = tableGrant(stage, resources);
  switch (need) {
    case 'table:read':
      return onTable(['BatchGetItem', 'GetItem', 'Query'], KEY_READ);
    case 'table:write':
      // A transaction needs no action of its own: IAM checks the actions that the transaction contains.
      return onTable(['ConditionCheckItem', 'PutItem', 'UpdateItem'], KEY_WRITE);
    case 'table:stamp':
      // Lists every attribute that the request may name, including the item's key.
      return onTable(['UpdateItem'], KEY_WRITE, {
        'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', 'last_used_at'] },
        // `ForAllValues` is also true for a request without `dynamodb:Attributes`, so this condition requires that key.
        Null: { 'dynamodb:Attributes': 'false' },
      });
    case 'table:count': {
      const grant = onTable(['UpdateItem'], KEY_WRITE, onlyArea('RATE'));
      grant.environment[VARIABLES.readsPerMinute] = String(stage.readsPerMinute);
      return grant;
    }
    case 'table:delete':
      return onTable(['DeleteItem'], KEY_WRITE);
    case 'table:batch':
      return onTable(['BatchWriteItem'], KEY_WRITE);
    case 'raw-answers:read':
    case 'raw-answers:write':
    case 'raw-answers:delete':
    case 'documents:read':
    case 'documents:write':
    case 'documents:delete':
      return bucketGrant(need, resources);
    case 'connection-snapshots':
      return snapshotGrant(stage, resources);
    case 'schedules:write':
    case 'schedules:delete':
    case 'schedules:list':
      return scheduleGrant(need, stage, resources);
    case 'connection-secrets:encrypt':
      return secretsGrant(stage, resources, 'encrypt', nameSecrets.everyConnection);
    case 'webhook-secrets:encrypt':
      return secretsGrant(stage, resources, 'encrypt', nameSecrets.everyWebhook);
    case 'webhook-secrets:decrypt':
      return secretsGrant(stage, resources, 'decrypt', nameSecrets.everyWebhook);
    case 'link-secrets:encrypt':
      return secretsGrant(stage, resources, 'encrypt', nameSecrets.everyConnectLink);
    case 'link-secrets:decrypt':
      return secretsGrant(stage, resources, 'decrypt', nameSecrets.everyConnectLink);
    case 'source-secrets:encrypt':
    case 'source-secrets:decrypt':
      if (source === null) throw new Error(`${need} is for a worker that is built with a source`);
      return secretsGrant(
        stage,
        resources,
        need === 'source-secrets:encrypt' ? 'encrypt' : 'decrypt',
        nameSecrets.source(source),
      );
    case 'sessions:verify':
      return { environment: {}, statements: sessionStatements(stage) };
    case 'sources':
      return sourcesGrant(stage);
    case 'public-origin':
      return publicOriginGrant(publicOrigin);
    case 'client-policy':
      return {
        environment: {
          ...(stage.appRedirectUris.length > 0 ? { [VARIABLES.clientAppUris]: stage.appRedirectUris.join(' ') } : {}),
          ...(stage.name === 'local' ? { [VARIABLES.clientLoopbackAllowed]: 'true' } : {}),
        },
        statements: [],
      };
    case 'security-contact':
      return { environment: { [VARIABLES.securityContact]: stage.securityContact }, statements: [] };
    case 'webhook-policy':
      return {
        environment: stage.webhookLoopbackAllowed ? { [VARIABLES.webhookLoopbackAllowed]: 'true' } : {},
        statements: [],
      };
    case 'send:scopes':
      return queueGrant(stage, 'sqs:SendMessage', listScopeQueues(source));
    case 'measure:scopes':
      return queueGrant(stage, 'sqs:GetQueueAttributes', listScopeQueues(source));
    default: {
      const queue = need.slice('send:'.length);
      const grant = queueGrant(stage, 'sqs:SendMessage', [queue]);
      // A function that requests syncs also gets the number of syncs that may start per minute.
      if (need === 'send:sync-requests') {
        grant.environment[VARIABLES.syncStartsPerMinute] = String(stage.syncStartsPerMinute);
      }
      return grant;
    }
  }
};

/** The grant for the index of due items, which only the sweeper may query. */
export const dueIndexGrant = (stage: Stage): NeedGrant => ({
  environment: {},
  statements: [allow(['dynamodb:Query'], [`${tableArn(stage)}/index/${DUE_INDEX_NAME}`])],
});

export const DUE_INDEX_NAME = 'due';
