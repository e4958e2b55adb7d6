/** An event of the audit trail as the API returns it. */
import * as z from 'zod';
import { AUDIT_ACTIONS, type AuditEvent, CHANGED_PARTS } from '#shared/audit/audit.rules.ts';
import { instant, uuid } from '#shared/values/fields.ts';
import { AuthorView, toAuthorView } from './author.ts';

const TARGET_KINDS = ['api_key', 'connection', 'webhook', 'grant', 'connect_link', 'session'] as const;
type TargetKind = (typeof TARGET_KINDS)[number];

const address = (text: string) =>
  z
    .string()
    .nullable()
    .describe(text)
    .meta({ examples: ['203.0.113.10'] });

export const AuditEventView = z
  .object({
    id: uuid(),
    action: z
      .enum(AUDIT_ACTIONS)
      .describe(
        'What happened. connection.failed: the institution refused the credentials, and the connection moved to `error`. connection.purged: all data of a deleted connection are gone. webhook.disabled: too many deliveries in a row failed. grant.redeemed: the application got its first tokens.',
      )
      .meta({ examples: ['connection.updated'] }),
    target: z
      .object({ kind: z.enum(TARGET_KINDS), id: uuid().nullable().describe('Null for a session.') })
      .describe('What changed.'),
    changed: z
      .array(z.enum(CHANGED_PARTS))
      .describe('Parts that an update changed; values are not recorded. Empty for all other actions.')
      .meta({ examples: [['credentials', 'schedule']] }),
    author: AuthorView.describe('Who made the change.'),
    request_id: z
      .string()
      .nullable()
      .describe('`x-request-id` of the request. Null for work of the service without a request.')
      .meta({ examples: ['0d8a3c52-6c5e-4a55-8a0e-0a4f6d0f7b11'] }),
    source_address: address('Address from which API Gateway got the request. Null if there was no request.'),
    forwarded_address: address(
      'Caller of that address, as the request names it in `x-forwarded-for`. Unproven: a request may name any address.',
    ),
    created_at: instant(),
  })
  .meta({ id: 'AuditEvent' });

export const toAuditEvent = (event: AuditEvent): z.infer<typeof AuditEventView> => ({
  id: event.id,
  action: event.action,
  target: { kind: event.action.split('.')[0] as TargetKind, id: event.targetId },
  changed: event.changed,
  author: toAuthorView(event.author),
  request_id: event.requestId,
  source_address: event.address,
  forwarded_address: event.forwardedAddress,
  created_at: event.at,
});
