/** The audit trail: one event for each change of keys, connections, webhooks, grants and sessions. Pure. */
import * as z from 'zod';
import { organizationId } from '#shared/values/ids.ts';

/** Codes of changes. The part before the point is the kind of the thing that changed. */
export const AUDIT_ACTIONS = [
  'api_key.created',
  'api_key.revoked',
  'connection.created',
  'connection.updated',
  'connection.failed',
  'connection.deleted',
  'connection.purged',
  'webhook.created',
  'webhook.updated',
  'webhook.secret_rolled',
  'webhook.disabled',
  'webhook.deleted',
  'grant.created',
  'grant.redeemed',
  'grant.revoked',
  'connect_link.created',
  'connect_link.cancelled',
  'session.opened',
  'session.closed',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Parts of a connection or webhook endpoint that a change may name. Values are never stored. */
export const CHANGED_PARTS = [
  ...['name', 'enabled_scopes', 'metadata', 'enabled', 'credentials', 'schedule', 'url', 'event_types'],
] as const;
export type ChangedPart = (typeof CHANGED_PARTS)[number];

export const AUTHOR_KINDS = ['person', 'api_key', 'application', 'connect_link', 'service'] as const;

export const AuthorSchema = z.object({
  kind: z.enum(AUTHOR_KINDS),
  /** Subject of the session, or id of the API key, grant or link. Null for the service, and for a session without subject. */
  id: z.string().nullable(),
});
export interface Author extends z.infer<typeof AuthorSchema> {}

/** Where a request came from. */
export interface RequestSource {
  requestId: string;
  /** Address of the peer that API Gateway saw: the caller, or the edge server in front of it. */
  address: string | null;
  /** Address that the peer names as its own caller. Unproven: a direct caller of API Gateway may name any. */
  forwardedAddress: string | null;
}

/** Who makes a change, and by which request; `source` is null for work without a request. */
export interface Cause {
  author: Author;
  source: RequestSource | null;
}

/** The service acts by itself. */
export const SERVICE: Author = { kind: 'service', id: null };
export const BY_SERVICE: Cause = { author: SERVICE, source: null };

export const AuditEventSchema = z.object({
  /** UUIDv7, so that the order of ids is the order of the events. */
  id: z.string(),
  organizationId: organizationId(),
  at: z.string(),
  action: z.enum(AUDIT_ACTIONS),
  /** Id of what changed; null for a session, which has only its person. */
  targetId: z.string().nullable(),
  changed: z.array(z.enum(CHANGED_PARTS)),
  author: AuthorSchema,
  requestId: z.string().nullable(),
  address: z.string().nullable(),
  forwardedAddress: z.string().nullable(),
});
export interface AuditEvent extends z.infer<typeof AuditEventSchema> {}
