/** Every path of the service with every other method, and unknown paths: the envelope, `Allow`, no credentials. */
import { expect, test } from 'vitest';
import { handler } from '#functions/api/system/not-found/handler.ts';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import { fullPath } from '#shared/http/contract.ts';
import { answered, eventOf } from '#test/helpers/http.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const paths = Map.groupBy(
  ENDPOINTS.filter(({ path }) => path.startsWith('/')),
  fullPath,
);
const filled = (path: string): string => path.replaceAll(/\{\w+\}/g, 'x');
const send = (method: string, path: string, headers: Record<string, string> = {}) =>
  answered(handler, eventOf({ method, path, headers }));

/** `periods` also matches as an id in a path. */
const allowedOn = (path: string): string[] => {
  const parts = filled(path).split('/');
  const fits = (other: string) => {
    const theirs = other.split('/');
    return theirs.length === parts.length && theirs.every((part, at) => part.startsWith('{') || part === parts[at]);
  };
  return [...new Set([...paths.keys()].filter(fits).flatMap((other) => paths.get(other)!.map(({ method }) => method)))];
};

test.each([...paths.keys()])('%s: 405 with Allow for every other method', async (path) => {
  const allowed = allowedOn(path).sort();
  for (const method of [...METHODS, 'HEAD', 'OPTIONS'].filter((each) => !(allowed as string[]).includes(each))) {
    const answer = await send(method, filled(path), { authorization: 'Bearer nonsense' });
    expect([answer.status, answer.headers.allow]).toEqual([405, allowed.join(', ')]);
    expect(answer.body).toEqual({ error: { code: 'method_not_allowed', message: expect.any(String) } });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  }
});

test.each([
  '/',
  '/api',
  '/api/connections/x/y',
  '/api/connections/x/sync-runs/y/z',
  '/api/procurement',
  '/api/\u0000',
  `/api/${'x'.repeat(8_000)}`,
  '/api/connections/../api-keys/x/y',
])('%j: 404', async (path) => {
  const answer = await send('GET', path);
  expect([answer.status, answer.body]).toEqual([
    404,
    {
      error: { code: 'not_found', message: 'Not found. Paths of the API begin with /api and are described at /docs.' },
    },
  ]);
});
