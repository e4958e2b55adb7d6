/**
 * Every operation with every credential that may call it, with unknown ids and with ids of another organization: both
 * get the same status and code, and no data of the other organization.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import type { Auth } from '#shared/http/contract.ts';
import type { Caller } from '#shared/http/endpoint.ts';
import { isDescribed } from '#shared/http/openapi/description.ts';
import { operationId } from '#shared/http/openapi/names.ts';
import { LISTS } from '#shared/scopes/lists.gen.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { type Credential, callersOf } from '#test/helpers/callers.ts';
import { newConnection } from '#test/helpers/connection-api.ts';
import { mediaOf, operationOf } from '#test/helpers/description.ts';
import { writeWholeTender } from '#test/helpers/example-rows.ts';
import { handlerOf } from '#test/helpers/handlers.ts';
import { type Answered, call } from '#test/helpers/http.ts';
import { useKeyFile } from '#test/helpers/key-file.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';
import { judged } from '#test/helpers/who-may-call.ts';

const OWNER = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';
const CODIGO = '990102-1-LE25';
const MAY: Record<Auth, Caller['kind'][]> = {
  public: ['key', 'session', 'access-token'],
  read: ['key', 'session', 'access-token'],
  manage: ['key', 'session'],
  session: ['session'],
  key: ['key'],
};

type Callers = Record<Caller['kind'], Credential>;
let table: EngineTable;
let keyFile: { remove(): void };
let owner: Callers;
let other: Callers;
/** Resource before the id, or name of the parameter → the owner's resource. */
const owned: Record<string, string> = {};

const send = async (operation: string, who: Credential, params: Record<string, string> = {}, body?: unknown) => {
  const contract = ENDPOINTS.find((each) => operationId(each) === operation)!;
  return call(contract, await handlerOf(contract.id), { ...who, params, ...(body === undefined ? {} : { body }) });
};

beforeAll(async () => {
  table = await startEngineTable();
  keyFile = useKeyFile();
  useSharedSecretIssuer();
  process.env.DOCUMENT_BUCKET_NAME = 'documents';
  [owner, other] = [await callersOf(OWNER), await callersOf(OTHER)];
  owned.connections = (await send('createConnection', owner.session, {}, newConnection())).body.id;
  owned.runId = (await send('startSync', owner.key, { id: owned.connections! })).body.sync_id;
  const webhook = { url: 'https://93.184.215.14/hook', event_types: ['sync.failed'] };
  owned.webhooks = (await send('createWebhook', owner.key, {}, webhook)).body.data.id;
  const link = { kind: 'single', asked_by: 'Us', external_source_code: 'tax', enabled_scopes: ['rcv'] };
  owned['connect-links'] = (await send('createConnectLink', owner.session, {}, link)).body.data.id;
  owned['api-keys'] = (await send('createApiKey', owner.session, {}, { name: 'CI' })).body.data.id;
  await writeWholeTender({ organizationId: OWNER, connectionId: randomUUID() }, CODIGO);
  owned.codigo = CODIGO;
});
afterAll(async () => {
  keyFile.remove();
  await table.stop();
});

const paramsOf = (path: string, known: Readonly<Record<string, string>>): Record<string, string> => {
  const segments = path.split('/');
  const names = segments.filter((segment) => segment.startsWith('{'));
  return Object.fromEntries(
    names.map((segment) => {
      const name = segment.slice(1, -1);
      const before = segments[segments.indexOf(segment) - 1]!;
      return [name, known[name] ?? known[before] ?? (name === 'codigo' ? '1-1-LE25' : randomUUID())];
    }),
  );
};

const outcome = ({ status, body }: Answered) => [status, body?.error?.code];

describe.each(ENDPOINTS.filter(isDescribed).map((contract) => [operationId(contract), contract] as const))(
  '%s',
  (id, contract) => {
    const [auth, [status, code]] = judged(id);
    const example = mediaOf(operationOf(id).requestBody)?.example;
    const names = Object.keys(contract.params);

    test.each(MAY[auth])('by %s: nobody’s ids and another’s are answered alike', async (kind) => {
      const unknown = await send(id, owner[kind], paramsOf(contract.path, {}), example);
      expect(outcome(unknown)).toEqual([status, code]);
      const foreign = await send(id, other[kind], paramsOf(contract.path, owned), example);
      expect(outcome(foreign)).toEqual([status, code]);
      if (names.length > 0) expect(foreign.text).toBe(unknown.text);
      for (const secret of [OWNER, ...Object.values(owned)]) expect(foreign.text).not.toContain(secret);
    });

    // Checks that the owner can read these ids, because otherwise the answers above would prove nothing.
    const isReadable = contract.method === 'GET' && names.every((name) => ['id', 'runId', 'codigo'].includes(name));
    if (!isReadable) return;
    test('its owner is answered', async () => {
      const answer = await send(id, owner[MAY[auth][0]!], paramsOf(contract.path, owned));
      // The connection is of one source: the lists of others say so.
      const isOther =
        contract.path.startsWith('/connections/{id}/licitaciones') ||
        Object.entries(LISTS).some(
          ([source, paths]) =>
            source !== 'tax' && paths.some((path) => `/api${contract.path}`.startsWith(path) && path.includes('{id}')),
        );
      expect(outcome(answer)).toEqual(isOther ? [404, 'scope_not_found'] : [200, undefined]);
    });
  },
);
