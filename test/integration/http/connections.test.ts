import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { delaySeconds } from '#shared/connections/schedule.rules.ts';
import { plantClock } from '#shared/platform/clock.ts';
import { decryptSecret, secretResource } from '#shared/platform/crypto.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { callersOf } from '#test/helpers/callers.ts';
import { CANARY, type ConnectionApi, connectionApi, newConnection } from '#test/helpers/connection-api.ts';
import { startTable, type TestTable } from '#test/helpers/dynamo.ts';
import { useKeyFile } from '#test/helpers/key-file.ts';
import { captureLog } from '#test/helpers/log-lines.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';
import { tableText } from '#test/helpers/table-text.ts';

const OURS = '11111111-1111-4111-8111-111111111111';
const THEIRS = '22222222-2222-4222-8222-222222222222';
const AT = Date.parse('2026-11-05T12:00:00.000Z');
const HOUR_MS = 3_600_000;

let testTable: TestTable;
let keyFile: { remove(): void };
let api: ConnectionApi;
let stranger: ConnectionApi;

beforeAll(async () => {
  testTable = await startTable();
  keyFile = useKeyFile();
  useSharedSecretIssuer();
  plantClock(() => AT);
  api = connectionApi((await callersOf(OURS)).session);
  stranger = connectionApi((await callersOf(THEIRS)).session);
});
afterEach(() => plantClock(() => AT));
afterAll(async () => {
  plantClock(undefined);
  keyFile.remove();
  await testTable.stop();
});

const created = async (): Promise<string> => (await api.create()).body.id;
const stored = async (id: string) => (await connections.find(OURS, id))!;
const credentialsOf = async (id: string): Promise<unknown> => {
  const { ciphertext } = (await connections.findCredentials(OURS, id))!;
  return JSON.parse(await decryptSecret(OURS, secretResource.credentials({ source: 'tax', id }), ciphertext));
};

describe('create', () => {
  test('answers the connection at top level with every field, and get and list show the same', async () => {
    // A login of its own: this organization has other connections of the usual one.
    const answer = await api.create(newConnection({ credentials: { rut: '12345678-5', password: CANARY } }));
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      organization_id: OURS,
      external_source_code: 'tax',
      external_source_name: 'Servicio de Impuestos Internos',
      name: 'Principal',
      status: 'pending',
      enabled_scopes: ['rcv'],
      scopes: [
        {
          name: 'rcv',
          label: expect.any(String),
          data_url: `/api/connections/${answer.body.id}/tax-rcv-documents`,
          filters: expect.objectContaining({ type: 'object' }),
          sync_metadata: expect.objectContaining({ type: 'object' }),
        },
      ],
      metadata: {},
      sync_schedule_enabled: false,
      sync_frequency_minutes: null,
      next_scheduled_sync_at: null,
      last_successful_sync_at: null,
      last_sync_status: null,
      attention: [],
      created_by: { kind: 'person', id: 'user-1' },
    });
    expect((await api.get(answer.body.id)).body).toEqual({ data: answer.body });
    expect((await api.get(answer.body.id.toUpperCase())).body).toEqual({ data: answer.body });
    expect((await api.list()).body.data).toContainEqual(answer.body);
  });

  test('the credentials are stored encrypted, only for this connection', async () => {
    const id = await created();
    expect(await credentialsOf(id)).toEqual({ rut: '76.192.083-9', password: CANARY });
    const { ciphertext } = (await connections.findCredentials(OURS, id))!;
    const other = secretResource.credentials({ source: 'tax', id: await created() });
    await expect(decryptSecret(OURS, other, ciphertext)).rejects.toThrow();
    const text = await tableText();
    expect(text.includes(CANARY)).toBe(false);
    expect(text.includes(Buffer.from(CANARY).toString('base64').slice(0, -3))).toBe(false);
  });

  test.each([
    [
      { external_source_code: 'nope' },
      'external_source_code must be one of bankone, bankthree, banktwo, procurement, tax',
    ],
    [{ external_source_code: null }, 'external_source_code must be a string'],
    [{ name: ' ' }, 'name must have at least 1 characters'],
    [{ name: 'x'.repeat(121) }, 'name must have at most 120 characters'],
    [{ enabled_scopes: [] }, 'enabled_scopes must have at least 1 items'],
    [{ enabled_scopes: ['rcv', 'rcv'] }, 'enabled_scopes must not name a scope twice'],
    [{ enabled_scopes: 'rcv' }, 'enabled_scopes must be an array'],
    [{ credentials: undefined }, 'credentials is required'],
    [{ metadata: undefined }, 'metadata is required'],
    [{ metadata: { a: 1 } }, 'metadata.a is not a known property. Known: reference, company_rut, company_name'],
    [{ credentials: [] }, 'credentials must be an object'],
    [{ credentials: {} }, 'credentials.rut is required; credentials.password is required'],
    [{ credentials: { rut: CANARY, password: 'x' } }, 'credentials.rut must be a RUT with a valid check digit'],
    [{ credentials: { rut: '76.192.083-9', password: { [CANARY]: CANARY } } }, 'credentials.password must be a string'],
    [
      { extra: CANARY },
      'extra is not a known property. Known: external_source_code, name, enabled_scopes, credentials, metadata',
    ],
  ])('%j: 422 %s', async (changes, message) => {
    const log = captureLog();
    const answer = await api.create(newConnection(changes));
    expect([answer.status, answer.body]).toEqual([422, { error: { code: 'validation_error', message } }]);
    expect(log.text()).not.toContain(CANARY);
  });

  test('an unsupported scope is refused with the list of supported ones', async () => {
    const answer = await api.create(newConnection({ enabled_scopes: ['rcv', 'nope'] }));
    expect(answer.status).toBe(422);
    expect(answer.body.error.message).toMatch(/^enabled_scopes\[1\] must be one of rcv/);
  });

  test('a canary in any field or key comes back in no message', async () => {
    // A name may be any text.
    const fields = Object.keys(newConnection()).filter((field) => field !== 'name');
    const shapes = [CANARY, [CANARY], { [`${CANARY}!`]: CANARY }, { rut: [CANARY], password: 1, [`${CANARY}!`]: 1 }];
    for (const field of fields)
      for (const value of shapes) {
        const answer = await api.create(newConnection({ [field]: value }));
        expect(answer.status).toBe(422);
        expect(answer.text).not.toContain(CANARY);
      }
  });
});

describe('who sees it', () => {
  test('for another organization every operation answers as for an unknown id, and changes nothing', async () => {
    const id = await created();
    const unknown = '33333333-3333-4333-8333-333333333333';
    for (const operation of [
      (one: string) => stranger.get(one),
      (one: string) => stranger.update(one, { name: 'stolen' }),
      (one: string) => stranger.remove(one),
    ]) {
      const [foreign, none] = [await operation(id), await operation(unknown)];
      expect([foreign.status, foreign.text]).toEqual([404, none.text]);
      expect(foreign.body.error.code).toBe('connection_not_found');
    }
    expect((await stranger.list()).body.data).toEqual([]);
    expect((await stored(id)).name).toBe('Principal');
  });

  test('keys and access tokens read, the newest first', async () => {
    const first = await created();
    plantClock(() => AT + 1_000);
    const second = await created();
    const { key, 'access-token': token } = await callersOf(OURS);
    for (const reader of [key, token]) {
      const ids = (await connectionApi(reader).list()).body.data.map(({ id }: { id: string }) => id);
      expect(ids.indexOf(second)).toBeLessThan(ids.indexOf(first));
    }
  });
});

describe('update', () => {
  test('changes what is sent and nothing else; nothing sent changes nothing', async () => {
    const id = await created();
    const before = (await api.get(id)).body.data;
    expect((await api.update(id, {})).body.data).toEqual(before);
    const answer = await api.update(id, { name: ' Renamed ' });
    expect([answer.status, answer.body.data]).toEqual([200, { ...before, name: 'Renamed' }]);
    expect(await credentialsOf(id)).toEqual({ rut: '76.192.083-9', password: CANARY });
  });

  test('new credentials replace all, count up their version, and end an error', async () => {
    const id = await created();
    await connections.change(await stored(id), { status: 'error' }, BY_SERVICE);
    const answer = await api.update(id, { credentials: { rut: '76.192.083-9', password: `${CANARY}-2` } });
    expect(answer.body.data.status).toBe('pending');
    expect(answer.text).not.toContain(CANARY);
    expect(await credentialsOf(id)).toEqual({ rut: '76.192.083-9', password: `${CANARY}-2` });
    expect((await stored(id)).credentialsVersion).toBe(2);
  });

  test('disabled: no next sync, the setting stays; enabled again: pending, one period later', async () => {
    const id = await created();
    const schedule = { enabled: true, frequencyMinutes: 60, startsAt: new Date(AT).toISOString(), revision: 1 };
    await connections.change(await stored(id), { schedule, status: 'active' }, BY_SERVICE);
    expect((await api.get(id)).body.data.next_scheduled_sync_at).toBe(new Date(AT + HOUR_MS).toISOString());

    const disabled = (await api.update(id, { enabled: false })).body.data;
    expect(disabled).toMatchObject({ status: 'disabled', sync_schedule_enabled: true, sync_frequency_minutes: 60 });
    expect(disabled.next_scheduled_sync_at).toBeNull();

    plantClock(() => AT + 5 * 60_000);
    const enabled = (await api.update(id, { enabled: true })).body.data;
    expect(enabled.status).toBe('pending');
    expect(enabled.next_scheduled_sync_at).toBe(
      new Date(AT + HOUR_MS + 5 * 60_000 + delaySeconds(id) * 1_000).toISOString(),
    );
    expect((await stored(id)).schedule.revision).toBe(3);
  });

  test('an enabled connection that is enabled keeps status and schedule', async () => {
    const id = await created();
    await connections.change(await stored(id), { status: 'active' }, BY_SERVICE);
    expect((await api.update(id, { enabled: true })).body.data.status).toBe('active');
  });

  test.each([
    [{ name: '' }, 'name must have at least 1 characters'],
    [{ enabled_scopes: [] }, 'enabled_scopes must have at least 1 items'],
    [{ enabled_scopes: ['rcv', 'rcv'] }, 'enabled_scopes must not name a scope twice'],
    [{ credentials: { rut: '76.192.083-9' } }, 'credentials.password is required'],
    [
      { external_source_code: 'tax' },
      'external_source_code is not a known property. Known: name, enabled_scopes, metadata, credentials, enabled',
    ],
    [{ enabled: 'no' }, 'enabled must be true or false'],
  ])('%j: 422 %s', async (body, message) => {
    const answer = await api.update(await created(), body);
    expect([answer.status, answer.body.error.message]).toEqual([422, message]);
  });

  test('changes at the same time all take effect', async () => {
    const id = await created();
    const changes = [{ name: 'A' }, { enabled: false }, { credentials: { rut: '76.192.083-9', password: 'new' } }];
    const answers = await Promise.all(changes.map((body) => api.update(id, body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await stored(id)).toMatchObject({ name: 'A', status: 'disabled', credentialsVersion: 2 });
    expect(await credentialsOf(id)).toMatchObject({ password: 'new' });
  });
});

describe('delete', () => {
  test('gone at once, credentials too, and what is left is due for the purge', async () => {
    const id = await created();
    const answer = await api.remove(id);
    expect([answer.status, answer.body]).toEqual([200, { data: { id, deleted: true } }]);
    expect((await api.get(id)).status).toBe(404);
    expect((await api.remove(id)).status).toBe(404);
    expect(await connections.findCredentials(OURS, id)).toBeUndefined();
    expect(await table.get(keys.purge(OURS, id))).toMatchObject({ due_sk: expect.any(String), connection_id: id });
  });

  test('refused while a run is open', async () => {
    const id = await created();
    await table.update(keys.connection(OURS, id), { set: { open_runs: new Set(['run']) } });
    const answer = await api.remove(id);
    expect([answer.status, answer.body.error.code]).toEqual([409, 'connection_sync_in_progress']);
    expect((await api.get(id)).status).toBe(200);
  });
});
