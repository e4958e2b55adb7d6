/**
 * Refusals that say how to fix the problem, as a client gets them: the exact words, through the endpoints' own
 * handlers.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { type Credential, callersOf } from '#test/helpers/callers.ts';
import { newConnection } from '#test/helpers/connection-api.ts';
import { handlerOf } from '#test/helpers/handlers.ts';
import { type Answered, call } from '#test/helpers/http.ts';
import { useKeyFile } from '#test/helpers/key-file.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';

let table: EngineTable;
let keyFile: { remove(): void };
let session: Credential;

beforeAll(async () => {
  table = await startEngineTable();
  keyFile = useKeyFile();
  useSharedSecretIssuer();
  session = (await callersOf('11111111-1111-4111-8111-111111111111')).session;
});
afterAll(async () => {
  keyFile.remove();
  await table.stop();
});

interface Asked {
  params?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
}

const send = async (id: string, asked: Asked): Promise<Answered> =>
  call(ENDPOINTS.find((each) => each.id === id)!, await handlerOf(id), { ...session, ...asked });

const told = ({ status, body }: Answered): [number, string] => [status, body.error.message];

test.each(['periods', 'from_period', 'codigos'])(
  '%s at the top of a sync: it belongs in metadata',
  async (property) => {
    const { id } = (await send('create-connection', { body: newConnection() })).body;
    const [status, message] = told(await send('start-sync', { params: { id }, body: { [property]: ['2026-10'] } }));
    expect(status).toBe(422);
    expect(message).toContain(`${property} is not a known property: it belongs in metadata`);
  },
);

test('a property that belongs nowhere is not sent anywhere', async () => {
  const { id } = (await send('create-connection', { body: newConnection() })).body;
  const [, message] = told(await send('start-sync', { params: { id }, body: { nope: 1 } }));
  expect(message).toContain('nope');
  expect(message).not.toContain('belongs');
});

describe('a webhook endpoint', () => {
  const make = (url: string) => send('create-webhook', { body: { url, event_types: ['sync.failed'] } });

  test('the repeat of a roll says that the secret was rolled, and shows none', async () => {
    const { id } = (await make('https://93.184.215.14/hook')).body.data;
    const headers = { 'idempotency-key': 'roll' };
    await send('roll-webhook-secret', { params: { id }, headers });
    const again = await send('roll-webhook-secret', { params: { id }, headers });
    expect(told(again)[1]).toBe(
      `This Idempotency-Key was already used: it rolled the secret of the webhook endpoint ${id}; the secret was shown once.`,
    );
    expect(again.text).not.toContain('whsec_');
  });

  test('localhost gets the allowed form in the refusal, where this machine may be notified', async () => {
    const isAllowed = VARIABLES.webhookLoopbackAllowed;
    try {
      process.env[isAllowed] = 'true';
      expect(told(await make('http://localhost:8080/hook'))[1]).toContain(
        'or name this machine as http://127.0.0.1:<port>',
      );
      expect((await make('http://127.0.0.1:8080/hook')).status).toBe(201);
    } finally {
      delete process.env[isAllowed];
    }
    const [status, message] = told(await make('http://localhost:8080/hook'));
    expect(status).toBe(422);
    expect(message).not.toContain('127.0.0.1');
  });
});

describe('names', () => {
  const HIDDEN = ['a\u202eb', 'a\u2066b', 'a\u0000b', 'a\nb', 'a\u007fb'];

  test.each(HIDDEN)('a connection named %j is refused', async (name) => {
    const answer = await send('create-connection', { body: newConnection({ name }) });
    expect([answer.status, answer.body.error.code]).toEqual([422, 'validation_error']);
    expect(answer.body.error.message).toContain('name');
  });

  test.each(HIDDEN)('a key named %j is refused', async (name) => {
    const answer = await send('create-api-key', { body: { name } });
    expect([answer.status, answer.body.error.code]).toEqual([422, 'validation_error']);
  });

  test.each(['Ñuñoa Ltda. & Cía', 'مكتب', '株式会社'])('a connection and a key may be named %j', async (name) => {
    expect((await send('create-connection', { body: newConnection({ name }) })).body.name).toBe(name);
    expect((await send('create-api-key', { body: { name } })).status).toBe(201);
  });
});
