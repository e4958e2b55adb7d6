/**
 * Needs: the only way to a permission. A contract lists them; infra turns each into exact grants and the environment
 * variables named here, and a function finds the same variables at run time. Environment variables are named in this
 * file alone.
 */
import type { QueueName } from './queue-names.ts';

export type Need =
  | 'table:read'
  /** Say when a key or token was used last, and nothing else. */
  | 'table:stamp'
  /** Put and change items; removing them needs a word more. */
  | 'table:write'
  | 'table:delete'
  /** Put and remove items in batches, which AWS does not tell apart. */
  | 'table:batch'
  | 'raw-answers:read'
  | 'raw-answers:write'
  | 'raw-answers:delete'
  /** Credentials of connections, whatever their source. */
  | 'connection-secrets:encrypt'
  | 'webhook-secrets:encrypt'
  | 'webhook-secrets:decrypt'
  /** Credentials and kept sessions of the one source that a scope worker is built with. */
  | 'source-secrets:encrypt'
  | 'source-secrets:decrypt'
  /** The shared secret of sessions, for an endpoint that looks at a session without being called with one. */
  | 'sessions:verify'
  /** Base URL and pace of every source. */
  | 'sources'
  /** May webhooks go to literal loopback addresses? Only the local stage says yes. */
  | 'webhook-policy'
  /** Where the service is reached from outside; had by functions of the stack `agents` alone, which knows it. */
  | 'public-origin'
  /** Which clients the stage lets in: addresses of apps, and whether one may be published on this computer. */
  | 'client-policy'
  /** Create, change, read and remove schedules of connections. */
  | 'schedules:write'
  /** Remove them, no more. */
  | 'schedules:delete'
  /** Find out which there are. */
  | 'schedules:list'
  /** Files of tenders, and tender pages too big for the table. */
  | 'documents:read'
  | 'documents:write'
  | 'documents:delete'
  | `send:${QueueName}`
  /** Send to the queue of every scope; a scope worker to those of its source alone. */
  | 'send:scopes';

/** Variables that every function may have, whatever it needs. */
export const BASE_VARIABLES = {
  stage: 'STAGE',
  sessionAlgorithm: 'SESSION_ALGORITHM',
  sessionIssuer: 'SESSION_ISSUER',
  sessionAudience: 'SESSION_AUDIENCE',
  sessionJwksUrl: 'SESSION_JWKS_URL',
  /** The shared secret itself: only the local runner sets it. */
  sessionSecret: 'SESSION_SECRET',
  /** Name of the SSM parameter with the shared secret. A name of its own, so that the name is never used as the secret. */
  sessionSecretParameter: 'SESSION_SECRET_PARAMETER',
  publicOrigins: 'PUBLIC_ORIGINS',
} as const;

/** Variables that Lambda and the AWS SDK define. */
export const AWS_VARIABLES = { region: 'AWS_REGION', endpointUrl: 'AWS_ENDPOINT_URL' } as const;

/**
 * Among the public origins: wherever the dashboard is served. Nobody knows CloudFront's address before the first deploy,
 * but browsers say themselves whether a page asks its own origin, and no page can write that header (docs/adr/0012).
 */
export const SELF = 'self';

export const sourceBaseUrlVariable = (code: string): string => `SOURCE_${code.toUpperCase()}_BASE_URL`;
/** "callDelayMs,callsMax,windowMs" in place of the manifest's pace, e.g. "0,0,0" against a sandbox. */
export const sourcePaceVariable = (code: string): string => `SOURCE_${code.toUpperCase()}_PACE`;

export const VARIABLES = {
  table: 'TABLE_NAME',
  /** The URL of every queue but its own name (`queue-names.ts`). */
  queueUrlPrefix: 'QUEUE_URL_PREFIX',
  rawBucket: 'RAW_BUCKET_NAME',
  documentBucket: 'DOCUMENT_BUCKET_NAME',
  scheduleGroup: 'SCHEDULE_GROUP_NAME',
  /** The role with which Scheduler sends to … */
  scheduleRoleArn: 'SCHEDULE_ROLE_ARN',
  /** … the queue of sync requests. */
  scheduleTargetArn: 'SCHEDULE_TARGET_ARN',
  /** KMS key that wraps data keys (AWS) … */
  encryptionKeyArn: 'ENCRYPTION_KEY_ARN',
  /** … or a file with 32 bytes, base64 (local). */
  encryptionKeyFile: 'ENCRYPTION_KEY_FILE',
  webhookLoopbackAllowed: 'WEBHOOK_LOOPBACK_ALLOWED',
  /** `<source>.<scope>` of a scope worker. */
  scope: 'SCOPE',
  syncStartsPerMinute: 'SYNC_STARTS_PER_MINUTE',
  /** Scheme and host of the page and of what agents call, no slash behind. */
  publicOrigin: 'PUBLIC_ORIGIN',
  /** Redirect addresses with a scheme of their own, separated by blanks. */
  clientAppUris: 'CLIENT_APP_URIS',
  clientLoopbackAllowed: 'CLIENT_LOOPBACK_ALLOWED',
} as const;
