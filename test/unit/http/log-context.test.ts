/** Fields by which a request is found in the log. */
import { expect, test, vi } from 'vitest';
import { contract as getConnection } from '#functions/api/connections/get-connection/contract.ts';
import { defineEndpoint } from '#shared/http/contract.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { log } from '#shared/platform/logger.ts';
import { call } from '#test/helpers/http.ts';
import { captureLog } from '#test/helpers/log-lines.ts';

const ID = '0198c0de-0000-7000-8000-00000000abcd';
const contract = defineEndpoint({ ...getConnection, auth: 'public', needs: [] });

test('lines of a request contain operation, request id and connection, at any depth and after any fault', async () => {
  const handler = endpoint(contract, async () => {
    await Promise.resolve();
    log.warn('deep below');
    throw new Error('clave-Ñandú-9');
  });
  const captured = captureLog();
  const answer = await call(contract, handler, { params: { id: ID }, headers: { 'x-request-id': 'caller-7' } });
  const text = captured.text();
  vi.restoreAllMocks();
  expect(answer.status).toBe(500);
  const said = { operation: 'get-connection', request_id: 'caller-7', connection_id: ID };
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { ...said, message: 'deep below' },
    { ...said, message: 'a request failed', error_name: 'Error' },
  ]);
  expect(text).not.toContain('Ñandú');
});
