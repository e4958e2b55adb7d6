import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import {
  AUTHORIZATION_QUERY,
  clientId,
  clientName,
  clientPublisher,
  redirectHost,
  redirectKind,
} from '#shared/http/views/grant.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { uuid } from '#shared/values/fields.ts';

const Review = z.object({
  kind: z
    .enum(['consent', 'redirect'])
    .describe('consent: ask the person; redirect: the request is invalid, send the browser back to the application.'),
  client: z.object({
    id: clientId(),
    name: clientName(),
    publisher: clientPublisher(),
  }),
  redirect_kind: redirectKind(),
  redirect_host: redirectHost(),
  organization_id: uuid(),
  scope: z
    .string()
    .nullable()
    .describe('Requested scope; null with `redirect`.')
    .meta({ examples: ['data:read'] }),
  connections: z
    .array(
      z.object({
        id: uuid(),
        name: z.string().meta({ examples: ['Mi empresa'] }),
        external_source_code: z.string().meta({ examples: ['tax'] }),
      }),
    )
    .describe('Connections of the organization, which the application could read.'),
  days: z
    .int()
    .describe('Number of days after which the permission ends.')
    .meta({ examples: [180] }),
  digest: z
    .string()
    .nullable()
    .describe('Digest of the request, to be sent with the decision. Null with `redirect`.')
    .meta({ examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'] }),
  to: z
    .string()
    .nullable()
    .describe('With `redirect`: address of the application, with the error.')
    .meta({ examples: [null] }),
});

export const contract = defineEndpoint({
  id: 'review-authorization',
  method: 'POST',
  path: '/oauth/reviews',
  tag: 'Applications',
  summary: 'Judge what an application asks for',
  description:
    'For the page `/authorize` of the dashboard: the application, the requested scope and the redirect target. Changes ' +
    'nothing. A request without a known application or redirect address is refused, without a redirect.',
  auth: 'session',
  body: z.strictObject({
    query: z
      .string()
      .min(1)
      .max(LIMITS.consentQueryCharsMax)
      .describe('Query of the address at which the application opened the page, unchanged.')
      .meta({ examples: [AUTHORIZATION_QUERY] }),
  }),
  takesIdempotencyKey: false,
  responses: { 200: z.object({ data: Review }) },
  errors: ['rate_limited'],
  needs: ['table:read', 'table:write', 'public-origin', 'client-policy'],
});
