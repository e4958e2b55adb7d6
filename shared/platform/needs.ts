/**
 * Needs are the only way to get a permission. A contract lists its needs. Infra turns each need into exact grants and
 * the environment variables named here, and a function reads the same variables at run time.
 */
import type { QueueName } from './queue-names.ts';

export type Need =
  | 'table:read'
  /** Only stamp when a key or token was last used. */
  | 'table:stamp'
  /** Only change counters of requests in a minute. */
  | 'table:count'
  /** Put and change items. Removing items is a separate need. */
  | 'table:write'
  | 'table:delete'
  /** Put and remove items in batches. AWS has one permission for both. */
  | 'table:batch'
  | 'raw-answers:read'
  | 'raw-answers:write'
  | 'raw-answers:delete'
  /** Read and replace the snapshot of an organization's connections, and forget the changes that it contains. */
  | 'connection-snapshots'
  /** Credentials of connections of any source. */
  | 'connection-secrets:encrypt'
  | 'webhook-secrets:encrypt'
  | 'webhook-secrets:decrypt'
  /** Secrets of standing connect links. */
  | 'link-secrets:encrypt'
  | 'link-secrets:decrypt'
  /** Credentials and stored sessions of the source that a scope worker is built for. */
  | 'source-secrets:encrypt'
  | 'source-secrets:decrypt'
  /**
   * The shared secret of sessions, for an endpoint that checks a session although its callers do not authenticate by
   * session.
   */
  | 'sessions:verify'
  /** Base URL and pace of every source. */
  | 'sources'
  /** Whether webhooks may go to literal loopback addresses. Only the local stage allows this. */
  | 'webhook-policy'
  /**
   * The public origin of the service. Only functions of the stack `agents` have this need, because only that stack
   * knows the origin.
   */
  | 'public-origin'
  /**
   * The stage's policy for clients: redirect addresses of apps, and whether a client may be published on this computer.
   */
  | 'client-policy'
  /** Where to report a vulnerability. */
  | 'security-contact'
  /** Create, change, read and remove schedules of connections. */
  | 'schedules:write'
  /** Only remove schedules. */
  | 'schedules:delete'
  /** Only list schedules. */
  | 'schedules:list'
  /** Files of tenders, and tender pages that are too big for the table. */
  | 'documents:read'
  | 'documents:write'
  | 'documents:delete'
  | `send:${QueueName}`
  /** Send to the queue of every scope. A scope worker may send only to queues of its source. */
  | 'send:scopes'
  /** Ask how many messages wait in the queue of every scope. */
  | 'measure:scopes';

/** Variables that every function may have, independent of its needs. */
export const BASE_VARIABLES = {
  stage: 'STAGE',
  sessionAlgorithm: 'SESSION_ALGORITHM',
  sessionIssuer: 'SESSION_ISSUER',
  sessionAudience: 'SESSION_AUDIENCE',
  sessionJwksUrl: 'SESSION_JWKS_URL',
  /** The shared secret itself. Only the local runner sets this variable. */
  sessionSecret: 'SESSION_SECRET',
  /**
   * Name of the SSM parameter with the shared secret. This is a separate variable, so that the name is never used as
   * the secret.
   */
  sessionSecretParameter: 'SESSION_SECRET_PARAMETER',
  publicOrigins: 'PUBLIC_ORIGINS',
} as const;

/** Variables that Lambda and the AWS SDK define. */
export const AWS_VARIABLES = { region: 'AWS_REGION', endpointUrl: 'AWS_ENDPOINT_URL' } as const;

/**
 * Entry in the list of public origins that means the dashboard's own origin. CloudFront's address is unknown before the
 * first deploy, but a browser reports whether a page calls its own origin, in a header that pages cannot set
 * (docs/adr/0012).
 */
export const SELF = 'self';

export const sourceBaseUrlVariable = (code: string): string => `SOURCE_${code.toUpperCase()}_BASE_URL`;
/**
 * Returns the variable that replaces the manifest's pace. Its value is "callDelayMs,callsMax,windowMs", e.g. "0,0,0"
 * for calls to a sandbox.
 */
export const sourcePaceVariable = (code: string): string => `SOURCE_${code.toUpperCase()}_PACE`;

/** Folder of the snapshots of connections in the bucket of raw answers, whose other folders are organizations. */
export const SNAPSHOT_FOLDER = 'connection-snapshots';

export const VARIABLES = {
  table: 'TABLE_NAME',
  /** The common part of the URLs of all queues: a queue's URL without the queue's name (`queue-names.ts`). */
  queueUrlPrefix: 'QUEUE_URL_PREFIX',
  rawBucket: 'RAW_BUCKET_NAME',
  documentBucket: 'DOCUMENT_BUCKET_NAME',
  scheduleGroup: 'SCHEDULE_GROUP_NAME',
  /** The role with which EventBridge Scheduler sends messages. */
  scheduleRoleArn: 'SCHEDULE_ROLE_ARN',
  /** The queue of sync requests, to which Scheduler sends. */
  scheduleTargetArn: 'SCHEDULE_TARGET_ARN',
  /** The dead letters of that queue, also for firings that Scheduler could not send. */
  scheduleDeadLettersArn: 'SCHEDULE_DEAD_LETTERS_ARN',
  /** The KMS key that wraps data keys on AWS. */
  encryptionKeyArn: 'ENCRYPTION_KEY_ARN',
  /** On the local stage, a file with 32 bytes in base64 that replaces the KMS key. */
  encryptionKeyFile: 'ENCRYPTION_KEY_FILE',
  webhookLoopbackAllowed: 'WEBHOOK_LOOPBACK_ALLOWED',
  /** `<source>.<scope>` of a scope worker. */
  scope: 'SCOPE',
  syncStartsPerMinute: 'SYNC_STARTS_PER_MINUTE',
  readsPerMinute: 'READS_PER_MINUTE',
  /** Scheme and host of the dashboard and of the agents' endpoints, without a trailing slash. */
  publicOrigin: 'PUBLIC_ORIGIN',
  /** Redirect addresses with the scheme of an app, separated by blanks. */
  clientAppUris: 'CLIENT_APP_URIS',
  clientLoopbackAllowed: 'CLIENT_LOOPBACK_ALLOWED',
  /** Address of a page or mailbox, as in `security.txt`. */
  securityContact: 'SECURITY_CONTACT',
} as const;
