/** A grant in the form of the API. */
import * as z from 'zod';
import { deriveGrantStatus, type Grant as GrantRecord, REVOCATIONS } from '#shared/agents/grant.rules.ts';
import { instant, uuid } from '#shared/values/fields.ts';

/** Id of a registered application, for the examples of the description. */
const EXAMPLE_CLIENT = `dcr1.${Buffer.from(
  JSON.stringify({ name: 'Agente contable', redirect_uris: ['https://agent.example/callback'], refresh: true }),
).toString('base64url')}`;

export const clientId = () =>
  z
    .string()
    .describe('Address at which the application is published, or its encoded registration.')
    .meta({ examples: [EXAMPLE_CLIENT] });

/** The query with which an application opens the authorization page. */
export const AUTHORIZATION_QUERY = new URLSearchParams({
  response_type: 'code',
  client_id: EXAMPLE_CLIENT,
  redirect_uri: 'https://agent.example/callback',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  state: 'af0ifjsldkj',
}).toString();

export const redirectKind = () =>
  z
    .enum(['web', 'loopback', 'app', 'none'])
    .describe(
      'Where the answer went. web: a site; loopback: a program on the person’s computer; app: an app with its own scheme; none: an operator created the grant.',
    )
    .meta({ examples: ['web'] });

export const redirectHost = () =>
  z
    .string()
    .describe('Host and port of the site or program, or the scheme of the app.')
    .meta({ examples: ['agent.example'] });

export const clientName = () =>
  z
    .string()
    .describe('Name that the application gave; empty if it gave none.')
    .meta({ examples: ['Agente contable'] });

export const clientPublisher = () =>
  z
    .string()
    .nullable()
    .describe('Host that publishes the name. Null if the name is unverified.')
    .meta({ examples: [null] });

export const Grant = z
  .object({
    id: uuid(),
    client_id: clientId(),
    client_name: clientName(),
    client_publisher: clientPublisher(),
    redirect_kind: redirectKind(),
    redirect_host: redirectHost(),
    scope: z.string().meta({ examples: ['data:read'] }),
    subject: z
      .string()
      .describe('Person who allowed it, as named by the issuer of sessions.')
      .meta({ examples: ['248289761001'] }),
    status: z.enum(['active', 'revoked', 'expired']),
    created_at: instant(),
    expires_at: instant(),
    last_used_at: instant().nullable().describe('Accurate to the minute.'),
    revoked_at: instant()
      .nullable()
      .meta({ examples: [null] }),
    revoked_for: z
      .enum(REVOCATIONS)
      .nullable()
      .describe('Who ended it. reuse: a code or refresh token was used a second time, which may mean a theft.')
      .meta({ examples: [null] }),
  })
  .meta({ id: 'Grant' });

export const toGrant = (grant: GrantRecord, nowMs: number): z.infer<typeof Grant> => ({
  id: grant.id,
  client_id: grant.clientId,
  client_name: grant.clientName,
  client_publisher: grant.publisher,
  redirect_kind: grant.redirectKind,
  redirect_host: grant.redirectHost,
  scope: grant.scope,
  subject: grant.subject,
  status: deriveGrantStatus(grant, nowMs),
  created_at: grant.createdAt,
  expires_at: grant.expiresAt,
  last_used_at: grant.lastUsedAt,
  revoked_at: grant.revokedAt,
  revoked_for: grant.revokedFor,
});
