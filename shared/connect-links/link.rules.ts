/** Connect links: with one, a customer connects or repairs a login that nobody else sees (docs/adr/0041). Pure. */
import * as z from 'zod';
import { AuthorSchema } from '#shared/audit/audit.rules.ts';
import { connectionId, organizationId } from '#shared/values/ids.ts';

/**
 * `single` makes one connection, `repair` replaces the credentials of one, `standing` makes one connection for each
 * reference that the integrator's server signed.
 */
export const LINK_KINDS = ['single', 'repair', 'standing'] as const;

export const LINK_STATUSES = ['open', 'used', 'cancelled', 'expired'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

export const ConnectLinkSchema = z.object({
  id: z.string(),
  organizationId: organizationId(),
  kind: z.enum(LINK_KINDS),
  source: z.string(),
  /** Empty for a repair, which leaves the connection's scopes. */
  enabledScopes: z.array(z.string()),
  /** Name of the connections that the link makes. */
  name: z.string(),
  /** Who asks, as the customer reads it. */
  askedBy: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  returnUrl: z.string().nullable(),
  /** The connection that the link repairs or has made. Null for a standing link. */
  connectionId: connectionId().nullable(),
  /** The sync that tries the newest credentials. Null before the first, and for a standing link. */
  runId: z.string().nullable(),
  /** Null unless the link is standing. */
  connectionsMax: z.number().nullable(),
  connectionsMade: z.number(),
  expiresAt: z.string(),
  createdAt: z.string(),
  createdBy: AuthorSchema,
  cancelledAt: z.string().nullable(),
});
export interface ConnectLink extends z.infer<typeof ConnectLinkSchema> {}

type Life = Pick<ConnectLink, 'cancelledAt' | 'expiresAt'>;

/** @param isUsed whether the institution accepted the customer's login */
export const deriveLinkStatus = ({ cancelledAt, expiresAt }: Life, isUsed: boolean, nowMs: number): LinkStatus => {
  if (isUsed) return 'used';
  if (cancelledAt !== null) return 'cancelled';
  return Date.parse(expiresAt) > nowMs ? 'open' : 'expired';
};
