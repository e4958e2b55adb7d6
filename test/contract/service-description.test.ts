/**
 * The endpoint tables of service.md and the extras of decisions.md, written out here: every line is implemented as
 * described.
 */
import { expect, test } from 'vitest';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import type { Auth, EndpointContract } from '#shared/http/contract.ts';
import { answerableCodes } from '#shared/http/response/error-codes.ts';
import { ERROR_STATUS, type ErrorCode } from '#shared/http/response/errors.ts';

/** `data`: a single object; `list`; `page`: a list with pagination; `bare`: the object at top level; `none`. */
type Envelope = 'data' | 'list' | 'page' | 'bare' | 'none';

const CONNECTION = 'connection_not_found';
const HOOK = 'webhook_endpoint_not_found';
const TENDER = 'licitacion_not_found';

const LINES: readonly [string, string, Auth, number, Envelope, readonly ErrorCode[]][] = [
  // With pages since 2026-11-27: `pagination` only with `limit`.
  ['GET', '/connections', 'read', 200, 'page', []],
  ['POST', '/connections', 'session', 201, 'bare', ['validation_error']],
  ['GET', '/connections/{id}', 'read', 200, 'data', [CONNECTION]],
  ['PATCH', '/connections/{id}', 'session', 200, 'data', [CONNECTION]],
  ['DELETE', '/connections/{id}', 'session', 200, 'data', [CONNECTION, 'connection_sync_in_progress']],
  ['PUT', '/connections/{id}/schedule', 'manage', 200, 'data', [CONNECTION, 'schedule_invalid_frequency']],
  [
    'POST',
    '/connections/{id}/sync',
    'manage',
    202,
    'bare',
    [CONNECTION, 'connection_disabled', 'sync_invalid_scopes', 'sync_invalid_metadata', 'rate_limited'],
  ],
  ['GET', '/connections/{id}/sync-runs', 'read', 200, 'list', [CONNECTION]],
  [
    'GET',
    '/connections/{id}/sync-runs/{runId}',
    'read',
    200,
    'data',
    [CONNECTION, 'sync_run_not_found', 'validation_error'],
  ],
  [
    'POST',
    '/connections/{id}/sync-runs/{runId}/cancel',
    'manage',
    200,
    'data',
    [CONNECTION, 'sync_run_not_found', 'validation_error'],
  ],
  ['GET', '/external-sources', 'public', 200, 'list', []],
  ['GET', '/api-keys', 'session', 200, 'list', []],
  ['POST', '/api-keys', 'session', 201, 'data', ['validation_error']],
  ['DELETE', '/api-keys/{id}', 'session', 200, 'data', ['api_key_not_found']],
  ['GET', '/webhooks', 'manage', 200, 'list', []],
  ['POST', '/webhooks', 'manage', 201, 'data', ['webhook_limit_reached']],
  ['GET', '/webhooks/{id}', 'manage', 200, 'data', [HOOK]],
  ['PATCH', '/webhooks/{id}', 'manage', 200, 'data', [HOOK]],
  ['DELETE', '/webhooks/{id}', 'manage', 200, 'data', [HOOK]],
  ['POST', '/webhooks/{id}/roll-secret', 'manage', 200, 'data', [HOOK]],
  ['GET', '/webhooks/{id}/deliveries', 'manage', 200, 'page', [HOOK]],
  [
    'POST',
    '/webhooks/{id}/deliveries/{deliveryId}/resend',
    'manage',
    202,
    'data',
    [HOOK, 'webhook_delivery_not_found', 'webhook_delivery_not_failed', 'webhook_endpoint_disabled'],
  ],
  ['GET', '/procurement/licitaciones/{codigo}', 'key', 200, 'data', [TENDER]],
  ['GET', '/procurement/licitaciones/{codigo}/documentos', 'key', 200, 'page', [TENDER]],
  ['GET', '/procurement/licitaciones/{codigo}/preguntas', 'key', 200, 'page', [TENDER]],
  ['GET', '/procurement/licitaciones/{codigo}/ofertas', 'key', 200, 'page', [TENDER]],
  ['GET', '/procurement/documentos/{documentoId}/download', 'key', 302, 'none', ['documento_not_found']],
];

const contractOf = (method: string, path: string): EndpointContract => {
  const found = ENDPOINTS.find((contract) => contract.method === method && contract.path === path);
  if (!found) throw new Error(`no endpoint ${method} ${path}`);
  return found;
};

// biome-ignore lint/suspicious/noExplicitAny: looks into schemas of every kind
const envelopeOf = (schema: any): Envelope => {
  const shape = schema._zod.def.shape;
  if (!shape) return 'none';
  if (!('data' in shape)) return 'bare';
  const isList = shape.data._zod.def.type === 'array';
  expect(Object.keys(shape)).toEqual('pagination' in shape ? ['data', 'pagination'] : ['data']);
  return 'pagination' in shape ? 'page' : isList ? 'list' : 'data';
};

test.each(LINES)('%s %s', (method, path, auth, status, envelope, codes) => {
  const contract = contractOf(method, path);
  expect(contract.auth).toBe(auth);
  expect(Object.keys(contract.responses)).toEqual([String(status)]);
  expect(envelopeOf(contract.responses[status])).toBe(envelope);
  const answerable = answerableCodes(contract);
  for (const code of codes) expect(answerable).toContain(code);
});

/** decisions.md §1, with the statuses of service.md "Errors". */
const CATALOGUE: Record<string, number> = {
  validation_error: 400,
  invalid_json: 400,
  unsupported_media_type: 415,
  payload_too_large: 413,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  rate_limited: 429,
  internal_error: 500,
  temporarily_unavailable: 503,
  connection_not_found: 404,
  connection_disabled: 409,
  connection_sync_in_progress: 409,
  sync_run_not_found: 404,
  scope_not_found: 404,
  coverage_not_found: 404,
  sync_invalid_scopes: 422,
  sync_invalid_metadata: 422,
  schedule_invalid_frequency: 422,
  connection_other_company: 422,
  connect_link_other_login: 422,
  rcv_document_not_found: 404,
  dispatch_guide_not_found: 404,
  nomina_not_found: 404,
  licitacion_not_found: 404,
  documento_not_found: 404,
  api_key_not_found: 404,
  webhook_endpoint_not_found: 404,
  webhook_endpoint_disabled: 409,
  webhook_delivery_not_found: 404,
  webhook_delivery_not_failed: 409,
  webhook_limit_reached: 409,
  grant_not_found: 404,
  connect_link_not_found: 404,
  grant_limit_reached: 409,
  connect_link_limit_reached: 409,
  connect_link_busy: 409,
  authorization_changed: 409,
  cursor_expired: 410,
  connect_link_ended: 410,
  idempotency_key_reused: 409,
  idempotency_key_in_progress: 409,
};

test('the catalogue of error codes is the decided one', () => {
  expect({ ...ERROR_STATUS }).toEqual(CATALOGUE);
});

/** Their answers contain a code, which is stored nowhere (decisions.md §1). */
const NOT_REPEATABLE = ['decide-authorization', 'review-authorization', 'open-connect-session', 'submit-credentials'];

test('every answerable code is listed once, and a POST is idempotent', () => {
  for (const contract of ENDPOINTS) {
    const codes = answerableCodes(contract);
    for (const code of codes) expect(CATALOGUE).toHaveProperty(code);
    expect(codes.has('idempotency_key_reused'), contract.id).toBe(
      contract.method === 'POST' && !NOT_REPEATABLE.includes(contract.id),
    );
    // A caller who opens a session has no credential yet: the token in the body is verified.
    expect(codes.has('unauthorized'), contract.id).toBe(contract.auth !== 'public' || contract.id === 'open-session');
  }
});
