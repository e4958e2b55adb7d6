import * as z from 'zod';
import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import { defineEndpoint } from '#shared/http/contract.ts';
import {
  AUTHORIZATION_QUERY,
  clientId,
  clientName,
  clientPublisher,
  redirectHost,
  redirectKind,
} from '#shared/http/views/grant.ts';
import { uuid } from '#shared/values/fields.ts';

const Review = z.object({
  kind: z
    .enum(['consent', 'redirect'])
    .describe('consent: the person is asked; redirect: the application asked for something wrong and is to be told.'),
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
    .describe('What is asked for; null with `redirect`.')
    .meta({ examples: ['data:read'] }),
  connections: z
    .array(
      z.object({
        id: uuid(),
        name: z.string().meta({ examples: ['Mi empresa'] }),
        external_source_code: z.string().meta({ examples: ['tax'] }),
      }),
    )
    .describe('What the application could read: the connections of the organization.'),
  days: z
    .int()
    .describe('After so many days a permission is over.')
    .meta({ examples: [180] }),
  digest: z
    .string()
    .nullable()
    .describe('Of the question: an answer names it. Null with `redirect`.')
    .meta({ examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'] }),
  to: z
    .string()
    .nullable()
    .describe('With `redirect`: address of the application, with what it asked for wrongly.')
    .meta({ examples: [null] }),
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
      .max(AGENT_LIMITS.consentQueryCharsMax)
      .describe('Query of the address at which the application opened the page, as it is.')
      .meta({ examples: [AUTHORIZATION_QUERY] }),
  }),
  takesIdempotencyKey: false,
  responses: { 200: z.object({ data: Review }) },
  errors: ['rate_limited'],
  needs: ['table:read', 'table:write', 'public-origin', 'client-policy'],
});
