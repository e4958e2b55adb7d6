/** One sentence per error code for readers of the description. It says when the API returns the code. */

import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import { CONNECT_LINK_LIMITS } from '#shared/connect-links/limits.ts';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import { type ErrorCode, notFound } from '#shared/http/response/errors.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';

type NotFoundCode = Extract<ErrorCode, `${string}_not_found`>;

const TEXTS: Record<Exclude<ErrorCode, NotFoundCode>, string> = {
  validation_error: 'A value is invalid. The message names the field and the rule.',
  invalid_json: 'The body is not valid JSON.',
  unauthorized: 'No credential, or one that is invalid, revoked or expired.',
  forbidden: 'This kind of credential may not perform this action.',
  not_found: 'The path does not exist.',
  method_not_allowed: 'The path does not support this method.',
  connection_disabled: 'The connection is disabled.',
  connection_sync_in_progress: 'A sync of the connection is queued or running.',
  webhook_endpoint_disabled: 'The webhook endpoint is disabled.',
  webhook_delivery_not_failed: 'Only a failed delivery can be sent again.',
  webhook_limit_reached: `The organization has ${WEBHOOK_LIMITS.webhookEndpointsMax} webhook endpoints, which is the maximum.`,
  grant_limit_reached: `The organization has ${AGENT_LIMITS.grantsPerOrganizationMax} granted applications, which is the maximum.`,
  connect_link_limit_reached: `The organization has ${CONNECT_LINK_LIMITS.openLinksPerOrganizationMax} open connect links, which is the maximum.`,
  connect_link_busy: 'The institution is checking other credentials of this link.',
  connect_link_ended: 'The link or its session ended, or never existed.',
  connection_other_company:
    'The credentials are of another company than the connection, which has rows or may get some.',
  connect_link_other_login: 'The credentials are of another login or company than the connection of the link.',
  authorization_changed: 'The application has changed its request since the person saw it.',
  idempotency_key_reused:
    'The Idempotency-Key was used with another body, or its answer contained a secret that is shown only once.',
  idempotency_key_in_progress: 'A request with this Idempotency-Key is still in progress.',
  cursor_expired:
    'The service was restored after the cursor was issued. Start over without a cursor and with an empty copy.',
  payload_too_large: `The body is larger than ${HTTP_LIMITS.bodyBytesMax / 1024} KiB.`,
  unsupported_media_type: 'The body is not application/json, or has a content-encoding.',
  sync_invalid_scopes: 'A scope is unknown, not enabled or repeated, or the list is empty.',
  sync_invalid_metadata: 'The metadata does not match the requested scopes.',
  schedule_invalid_frequency: 'The frequency is missing or not one of the offered ones.',
  rate_limited: 'Too many such requests or reads in this minute, or too many unfinished syncs of the connection.',
  temporarily_unavailable:
    'The service is too busy. Repeat the request after `Retry-After`, a POST with its Idempotency-Key.',
  internal_error: 'Something went wrong on our side. The request id identifies the failure in our log.',
};

export const describeCode = (code: ErrorCode): string =>
  code in TEXTS ? TEXTS[code as keyof typeof TEXTS] : notFound(code).message;
