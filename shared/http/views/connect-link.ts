/** Connect links and their sessions as the API returns them. */
import * as z from 'zod';
import { type ConnectLink, deriveLinkStatus, LINK_KINDS, LINK_STATUSES } from '#shared/connect-links/link.rules.ts';
import { VERDICTS, type Verdict } from '#shared/connect-links/verdict.rules.ts';
import type { SourceManifest } from '#shared/sources/source.ts';
import { instant, uuid } from '#shared/values/fields.ts';
import { AuthorView, toAuthorView } from './author.ts';
import { ExternalSource, toExternalSource } from './external-source.ts';

export const ConnectLinkView = z
  .object({
    id: uuid(),
    kind: z
      .enum(LINK_KINDS)
      .describe('single: makes one connection. repair: replaces credentials. standing: one connection a reference.'),
    status: z
      .enum(LINK_STATUSES)
      .describe('used: the institution accepted the login. A standing link is never used.')
      .meta({ examples: ['open'] }),
    external_source_code: z.string().meta({ examples: ['tax'] }),
    enabled_scopes: z
      .array(z.string())
      .describe('Scopes of the connections that the link makes. Empty for a repair.')
      .meta({ examples: [['rcv']] }),
    name: z
      .string()
      .describe('Name of the connections that the link makes, or of the repaired connection.')
      .meta({ examples: ['Panadería Ñandú'] }),
    asked_by: z
      .string()
      .describe('Who asks, as the customer reads it.')
      .meta({ examples: ['Contadores Asociados'] }),
    metadata: z.record(z.string(), z.unknown()).meta({ examples: [{}] }),
    return_url: z
      .string()
      .nullable()
      .meta({ examples: ['https://erp.example/conectado'] }),
    connection_id: uuid()
      .nullable()
      .describe('The connection that the link made or repairs. Null before, and for a standing link.'),
    connections_max: z
      .int()
      .nullable()
      .describe('Most connections of a standing link, else null.')
      .meta({ examples: [null] }),
    connections_made: z.int().meta({ examples: [0] }),
    expires_at: instant(),
    created_at: instant(),
    created_by: AuthorView,
    cancelled_at: instant()
      .nullable()
      .meta({ examples: [null] }),
  })
  .meta({ id: 'ConnectLink' });

export const NewConnectLinkView = ConnectLinkView.extend({
  url: z
    .string()
    .describe('Address for the customer. Only this answer contains it.')
    .meta({ examples: ['https://data.example/connect#svc_cl_Q3fT9aXw2LkZ0sVbN7mHc4RgYtPdEu6JiOqA1xBvCnM'] }),
  secret: z
    .string()
    .nullable()
    .describe(
      'Key with which your server signs references of a standing link, else null. Only this answer contains it.',
    )
    .meta({ examples: [null] }),
}).meta({ id: 'NewConnectLink' });

export const toConnectLink = (link: ConnectLink, isUsed: boolean, nowMs: number): z.infer<typeof ConnectLinkView> => ({
  id: link.id,
  kind: link.kind,
  status: deriveLinkStatus(link, isUsed, nowMs),
  external_source_code: link.source,
  enabled_scopes: link.enabledScopes,
  name: link.name,
  asked_by: link.askedBy,
  metadata: link.metadata,
  return_url: link.returnUrl,
  connection_id: link.connectionId,
  connections_max: link.connectionsMax,
  connections_made: link.connectionsMade,
  expires_at: link.expiresAt,
  created_at: link.createdAt,
  created_by: toAuthorView(link.createdBy),
  cancelled_at: link.cancelledAt,
});

/** What a customer sees of a link. It names no organization, no connection and no other data. */
export const ConnectSessionView = z.object({
  /** The page sends it with credentials, so that they reach the link that it shows. */
  session_id: z.string(),
  link_id: uuid(),
  kind: z.enum(LINK_KINDS),
  asked_by: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  source: ExternalSource,
  return_url: z.string().nullable(),
  session_expires_at: instant(),
  state: z.enum(VERDICTS),
  /** A code of `x-sync-error-codes`, with `refused` and `unavailable`. */
  error_code: z.string().nullable(),
  /** With `approval`: when the wait ends. */
  until: instant().nullable(),
  tries_left: z.int(),
  /** Another connection of the organization reads the same with this login. Only said once the login is accepted. */
  is_connected_twice: z.boolean(),
});

export const toConnectSession = (
  link: ConnectLink,
  shown: {
    sessionId: string;
    manifest: SourceManifest;
    scopes: string[];
    verdict: Verdict;
    triesLeft: number;
    expiresAt: string;
    isConnectedTwice: boolean;
  },
): z.infer<typeof ConnectSessionView> => ({
  session_id: shown.sessionId,
  link_id: link.id,
  kind: link.kind,
  asked_by: link.askedBy,
  name: link.name,
  scopes: shown.scopes,
  source: toExternalSource(shown.manifest),
  return_url: link.returnUrl,
  session_expires_at: shown.expiresAt,
  state: shown.verdict.state,
  error_code: shown.verdict.errorCode,
  until: shown.verdict.until,
  tries_left: shown.triesLeft,
  is_connected_twice: shown.isConnectedTwice,
});
