import { expect, test } from 'vitest';
import { handler } from '#functions/api/system/not-found/handler.ts';
import { answered, eventOf } from '#test/helpers/http.ts';

const send = (method: string, path: string) => answered(handler, eventOf({ method, path, body: '{' }));

const UNKNOWN = 'Not found. Paths of the API begin with /api and are described at /docs.';
const similar = (path: string) => `Not found. The path is ${path}. All paths are described at /docs.`;

test.each([
  ['/', UNKNOWN],
  ['/api', UNKNOWN],
  ['/api/', UNKNOWN],
  ['/api/nope', UNKNOWN],
  ['/v1', UNKNOWN],
  ['/connections', similar('/api/connections')],
  ['/api/connections/', similar('/api/connections')],
  ['/api/connections//', similar('/api/connections')],
  ['/api//connections', similar('/api/connections')],
  ['/api/v2/connection/x/Sync', similar('/api/connections/{id}/sync')],
  ['/api/connections/x/coverage/rcv/2026-10/', similar('/api/connections/{id}/coverage/{scope}/{period}')],
  ['/api/connections/x/coverage/rcv/2026-10/x', UNKNOWN],
])('%s: 404', async (path, message) => {
  const answer = await send('GET', path);
  expect([answer.status, answer.body]).toEqual([404, { error: { code: 'not_found', message } }]);
  expect(answer.headers.allow).toBeUndefined();
});

test.each([
  ['PUT', '/api/connections', 'GET, POST'],
  ['HEAD', '/api/connections', 'GET, POST'],
  ['POST', '/api/external-sources', 'GET'],
  ['POST', '/api/connections/x', 'DELETE, GET, PATCH'],
  ['GET', '/api/connections/x/sync', 'POST'],
])('%s %s: 405, Allow: %s', async (method, path, allow) => {
  const answer = await send(method, path);
  expect([answer.status, answer.body.error.code, answer.headers.allow]).toEqual([405, 'method_not_allowed', allow]);
});
