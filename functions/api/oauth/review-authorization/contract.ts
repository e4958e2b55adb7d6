import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { clientName, clientPublisher, redirectHost, redirectKind } from '#shared/http/views/grant.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { uuid } from '#shared/values/fields.ts';

const Consent = z.object({
  kind: z.literal('consent'),
  client: z.object({ id: z.string(), name: clientName(), publisher: clientPublisher() }),
  redirect_kind: redirectKind(),
  redirect_host: redirectHost(),
  scope: z.string().meta({ examples: ['data:read'] }),
  organization_id: uuid(),
  connections: z
    .array(z.object({ id: uuid(), name: z.string(), external_source_code: z.string() }))
    .describe('What the application could read.'),
  days: z.int().describe('After so many days the permission is over.'),
  digest: z.string().describe('Of the question: an answer names it.'),
});

const Redirect = z.object({
  kind: z.literal('redirect'),
  to: z.string().describe('Address of the application, with an error that says what it asked for wrongly.'),
  redirect_host: redirectHost(),
});

export const contract = defineEndpoint({
  id: 'review-authorization',
  method: 'POST',
  path: '/oauth/reviews',
  tag: 'Applications',
  summary: 'Judge what an application asks for',
  description:
    'For the page `/authorize` of the dashboard: who asks, for what, and where the answer would go. Changes nothing. ' +
    'A question without a known application or address of it is refused, and nobody is told but the person.',
  auth: 'session',
  body: z.strictObject({
    query: z
      .string()
      .min(1)
      .max(LIMITS.consentQueryCharsMax)
      .describe('Query of the address at which the application opened the page, as it is.'),
  }),
  takesIdempotencyKey: false,
  responses: { 200: z.object({ data: z.discriminatedUnion('kind', [Consent, Redirect]) }) },
  errors: ['rate_limited'],
  needs: ['table:read', 'table:write', 'public-origin', 'client-policy'],
});
