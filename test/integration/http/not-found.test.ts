import { expect, test } from 'vitest';
import { handler } from '#functions/api/system/not-found/handler.ts';
import { answered, eventOf } from '#test/helpers/http.ts';

const send = (method: string, path: string) => answered(handler, eventOf({ method, path, body: '{' }));

test.each([
  '/',
  '/api',
  '/api/',
  '/api/nope',
  '/connections',
  '/api/connections/',
  '/api/connections//',
  '/api//connections',
])('%s: 404', async (path) => {
  const answer = await send('GET', path);
  expect([answer.status, answer.body]).toEqual([
    404,
    {
      error: { code: 'not_found', message: 'Not found. Paths of the API begin with /api and are described at /docs.' },
    },
  ]);
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
