/**
 * Typical mistakes of integrators who have not read the reference. A test sends each of them and requires its answer,
 * and the page of errors lists them.
 */
import type { ErrorCode } from '#shared/http/response/errors.ts';

export interface MistakenRequest {
  method: string;
  /**
   * With query. `{tax}` and `{disabled}` are ids of connections, `{cursor}` is a cursor of the organization's feed, and
   * `{key}` is an API key.
   */
  path: string;
  /** Default: an API key. */
  as: 'key' | 'session' | 'nobody';
  headers: Readonly<Record<string, string>>;
  /** A string is sent unchanged, anything else as JSON. */
  body?: unknown;
}

export interface Mistake {
  mistake: string;
  request: MistakenRequest;
  status: number;
  code: ErrorCode;
  /** Texts that the message must contain: allowed values, the right path, the right header. */
  names: readonly string[];
}

const send =
  (method: string) =>
  (path: string, rest: Partial<MistakenRequest> = {}): MistakenRequest => ({
    method,
    path,
    as: 'key',
    headers: {},
    ...rest,
  });
const [get, post, put, patch] = [send('GET'), send('POST'), send('PUT'), send('PATCH')];

type MistakeRow = readonly [mistake: string, request: MistakenRequest, names: string[]];

const answered = (status: number, code: ErrorCode, rows: readonly MistakeRow[]): Mistake[] =>
  rows.map(([mistake, request, names]) => ({ mistake, request, status, code, names }));
const unauthorized = (rows: readonly MistakeRow[]) => answered(401, 'unauthorized', rows);
const invalidQuery = (rows: readonly MistakeRow[]) => answered(400, 'validation_error', rows);
const invalidBody = (rows: readonly MistakeRow[]) => answered(422, 'validation_error', rows);

const TAX = '/api/connections/{tax}';
const SYNC = `${TAX}/sync`;
const AS_BEARER = 'Authorization: Bearer svc_sk_…';
const COOKIE = 'sb-access-token';
const PERSON = { as: 'session' } as const;
const CREDENTIALS = { rut: '70000002-8', password: 'clave-de-prueba' };
const EVENTS = ['sync.succeeded', 'sync.partial', 'sync.failed'];
const CONNECTION = {
  external_source_code: 'tax',
  name: 'Empresa',
  enabled_scopes: ['rcv'],
  credentials: CREDENTIALS,
  metadata: {},
};

const documents = (query: string) => get(`${TAX}/tax-rcv-documents?${query}`);
const connecting = (changes: object) => post('/api/connections', { ...PERSON, body: { ...CONNECTION, ...changes } });
const connectingAs = (type: string, body: string) =>
  post('/api/connections', { ...PERSON, headers: { 'content-type': type }, body });
const withHeaders = (headers: Record<string, string>) => get('/api/connections', { as: 'nobody', headers });
const syncing = (body: unknown) => post(SYNC, { body });
const subscribing = (url: string, event_types: string[] = EVENTS) =>
  post('/api/webhooks', { body: { url, event_types } });

const PATHS = [
  ...answered(404, 'not_found', [
    ['the path without `/api`', get('/connections'), ['/api/connections']],
    ['a slash at the end', get('/api/connections/'), ['/api/connections']],
    ['a version in the path', get('/api/v1/connections'), ['/api/connections']],
    ['the singular', get('/api/connection'), ['/api/connections']],
    ['capital letters in the path', get('/api/Connections/{tax}'), ['/api/connections/{id}']],
    ['underscores in the path', get(`${TAX}/sync_runs`), ['/api/connections/{id}/sync-runs']],
    ['a path of another API', get('/api/customers'), ['/docs']],
  ]),
  ...answered(405, 'method_not_allowed', [
    ['PUT for a change', put(TAX, { body: { name: 'A' } }), ['DELETE, GET, PATCH']],
    ['GET to start a sync', get(SYNC), ['POST']],
  ]),
  ...answered(404, 'connection_not_found', [
    ['an id that was cut off', get('/api/connections/0199a7c4'), ['UUID', '36 characters']],
  ]),
  ...answered(400, 'validation_error', [
    ['an id that is no UUID', get(`${TAX}/tax-rcv-documents/4711`), ['documentId', 'UUID']],
  ]),
  ...answered(404, 'scope_not_found', [
    ['a list of another source', get(`${TAX}/bankone-movements`), ['tax-rcv-documents', 'tax-dispatch-guides']],
    ['tenders of a connection that has none', get(`${TAX}/licitaciones`, PERSON), ['tax-rcv-documents']],
    ['the changes of a scope of another source', get(`${TAX}/changes?scope=movements`), ['rcv', 'boletas', 'guias']],
  ]),
];

const CREDENTIAL = [
  ...unauthorized([
    ['no credential', withHeaders({}), [AS_BEARER, COOKIE]],
    ['the key in `x-api-key`', withHeaders({ 'x-api-key': '{key}' }), [AS_BEARER]],
    ['the key without `Bearer`', withHeaders({ authorization: '{key}' }), ['Bearer is missing', AS_BEARER]],
    ['the key as user of Basic', withHeaders({ authorization: 'Basic e2tleX06' }), [AS_BEARER]],
    ['the key in the query', get('/api/connections?api_key={key}', { as: 'nobody' }), [AS_BEARER]],
    ['the key in the cookie of sessions', withHeaders({ cookie: `${COOKIE}={key}` }), [AS_BEARER]],
    ['half of the key', withHeaders({ authorization: 'Bearer svc_sk_abc' }), ['invalid', AS_BEARER]],
    ['a session in `Authorization`', withHeaders({ authorization: 'Bearer eyJhbGciOiJ9.eyJzdWIi.c2ln' }), [COOKIE]],
  ]),
  ...answered(403, 'forbidden', [
    ['connecting with a key', post('/api/connections', { body: CONNECTION }), ['session', COOKIE]],
    ['tenders of the organization with a session', get('/api/procurement/licitaciones', PERSON), [AS_BEARER]],
  ]),
];

const QUERIES = invalidQuery([
  ['`page=2`', documents('page=2'), ['page', 'limit', 'offset']],
  ['`limit=100000`', documents('limit=100000'), ['limit', '1 and 200']],
  ['`limit=all`', get('/api/connections?limit=all'), ['limit', '1 and 200']],
  ['`offset=-1`', documents('offset=-1'), ['offset', 'at least 0']],
  ['a parameter twice', documents('direction=issued&direction=received'), ['direction', 'once']],
  ['a misspelt parameter', documents('perido=2026-10'), ['perido', 'Known:', 'period']],
  ['a filter of another list', documents('moneda=CLP'), ['moneda', 'Known:', 'direction']],
  ['a parameter of another operation', get('/api/external-sources?limit=5'), ['limit', 'Known: country']],
  ['a date as dd-mm-yyyy', documents('from=01-10-2026'), ['from', 'YYYY-MM-DD']],
  ['a date with a time', documents('from=2026-10-01T00:00:00Z'), ['from', 'YYYY-MM-DD']],
  ['a day that does not exist', documents('to=2026-02-30'), ['to', 'YYYY-MM-DD', 'exists']],
  ['a month without hyphen', documents('period=202610'), ['period', 'YYYY-MM']],
  ['`from` after `to`', documents('from=2026-10-02&to=2026-10-01'), ['from', 'to']],
  ['capital letters in a value', documents('direction=ISSUED'), ['issued', 'received']],
  ['a value of another field', get('/api/connections?status=ok'), ['pending, active, error, disabled']],
  ['a RUT with a wrong check digit', get('/api/connections?company_rut=76192083-1'), ['company_rut', 'check digit']],
  ['`latest=1`', get('/api/connections/{bank}/bankone-balances?latest=1'), ['latest', 'true']],
  ['a cursor of another feed', get(`${TAX}/changes?cursor={cursor}`), ['cursor', 'next_cursor', 'this path']],
]);

const BODIES = [
  ...answered(415, 'unsupported_media_type', [
    ['JSON as `text/plain`', connectingAs('text/plain', JSON.stringify(CONNECTION)), ['application/json']],
    ['a form', connectingAs('application/x-www-form-urlencoded', 'name=Empresa'), ['application/json']],
  ]),
  ...answered(400, 'invalid_json', [
    ['an empty body', connectingAs('application/json', ''), ['empty', 'JSON object']],
    ['single quotes', connectingAs('application/json', "{'name': 'Empresa'}"), ['double quotes']],
  ]),
  ...invalidBody([
    ['a list as body', post('/api/webhooks', { body: [] }), ['must be an object']],
    ['camelCase', connecting({ enabledScopes: ['rcv'] }), ['enabledScopes', 'enabled_scopes']],
    ['a field that does not exist', connecting({ nickname: 'x' }), ['nickname', 'Known: external_source_code, name']],
    [
      'an unknown source',
      connecting({ external_source_code: 'sii' }),
      ['bankone, bankthree, banktwo, procurement, tax'],
    ],
    ['a scope of another source', connecting({ enabled_scopes: ['movements'] }), ['rcv, boletas, guias']],
    ['no scopes', connecting({ enabled_scopes: [] }), ['enabled_scopes', 'at least 1']],
    ['a login outside `credentials`', connecting(CREDENTIALS), ['rut', 'Known:', 'credentials']],
    ['a login of another source', connecting({ credentials: { user: 'a' } }), ['credentials.rut is required', 'user']],
    [
      'a login with a wrong check digit',
      connecting({ credentials: { ...CREDENTIALS, rut: '70000002-1' } }),
      ['credentials.rut', 'check digit'],
    ],
    ['a `reference` outside `metadata`', connecting({ reference: 'c-1' }), ['reference', 'belongs in metadata']],
    ['a text for true', patch(TAX, { ...PERSON, body: { enabled: 'true' } }), ['enabled', 'true or false']],
    ['a webhook to http', subscribing('http://example.com/hook'), ['url', 'https']],
    ['a webhook to the own machine', subscribing('https://localhost/hook'), ['url', 'public internet']],
    ['an unknown event', subscribing('https://example.com/hook', ['sync.done']), EVENTS],
    [
      'a day for an instant',
      post('/api/api-keys', { ...PERSON, body: { name: 'a', expires_at: '2030-01-01' } }),
      ['expires_at', 'ISO 8601'],
    ],
  ]),
  ...answered(422, 'schedule_invalid_frequency', [
    [
      'an interval that is not offered',
      put(`${TAX}/schedule`, { body: { enabled: true, frequency_minutes: 15 } }),
      ['frequency_minutes', '60, 360, 720, 1440'],
    ],
  ]),
];

const SYNCS = [
  ...invalidBody([['`periods` outside `metadata`', syncing({ periods: ['2026-10'] }), ['periods', 'metadata']]]),
  ...answered(422, 'sync_invalid_metadata', [
    ['a month as text', syncing({ metadata: { periods: '2026-10' } }), ['metadata.periods', 'array']],
    ['a month that does not exist', syncing({ metadata: { periods: ['2026-13'] } }), ['metadata.periods', 'YYYY-MM']],
    ['only future months', syncing({ metadata: { periods: ['2099-01'] } }), ['have not begun', 'now 20']],
    ['half a range', syncing({ metadata: { from_period: '2026-01' } }), ['from_period', 'to_period']],
    ['ten years', syncing({ metadata: { from_period: '2016-01', to_period: '2026-01' } }), ['36 months']],
    [
      'a tender of the tax authority',
      syncing({ metadata: { codigos: ['1-1-LE25'] } }),
      ['codigos', 'Known:', 'periods'],
    ],
  ]),
  ...answered(422, 'sync_invalid_scopes', [
    ['a scope that is not enabled', syncing({ scopes: ['guias'] }), ['enabled on this connection: rcv']],
  ]),
  ...answered(409, 'connection_disabled', [
    ['a disabled connection', post('/api/connections/{disabled}/sync'), ['PATCH', '"enabled": true']],
  ]),
];

/** By the part of the request. */
export const TYPICAL_MISTAKES: Readonly<Record<string, readonly Mistake[]>> = {
  'Method and path': PATHS,
  Credential: CREDENTIAL,
  Query: QUERIES,
  Body: BODIES,
  Sync: SYNCS,
};
