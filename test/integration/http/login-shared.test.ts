/** A second connection of one login, source and company: warned of at its creation, and shown by both connections. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { contract } from '#functions/api/connections/list-connections/contract.ts';
import { handler } from '#functions/api/connections/list-connections/handler.ts';
import { CONNECTION_LIMITS } from '#shared/connections/limits.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { type Credential, callersOf } from '#test/helpers/callers.ts';
import { type ConnectionApi, connectionApi, newConnection } from '#test/helpers/connection-api.ts';
import { call } from '#test/helpers/http.ts';
import { useKeyFile } from '#test/helpers/key-file.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';

const PERSON = '76192083-9';
const OTHER = '11111111-1';
const COMPANY = '77000002-5';
const SHARED = ['tax.login_shared'];

let server: EngineTable;
let keyFile: { remove(): void };
let organizationId = '';
let session: Credential;
let api: ConnectionApi;

beforeAll(async () => {
  server = await startEngineTable();
  keyFile = useKeyFile();
  useSharedSecretIssuer();
});
beforeEach(async () => {
  organizationId = randomUUID();
  session = (await callersOf(organizationId)).session;
  api = connectionApi(session);
});
afterAll(async () => {
  keyFile.remove();
  await server.stop();
});

const tax = (rut: string, company?: string): object => ({ rut, password: 'p', company_rut: company });
const connect = async (credentials: object, changes: object = {}) => {
  const { status, body } = await api.create(newConnection({ credentials, ...changes }));
  expect([status, body.error]).toEqual([201, undefined]);
  return body as { id: string; attention: string[]; warnings?: { code: string; connection_ids: string[] }[] };
};
const attentionOf = async (id: string): Promise<string[]> => (await api.get(id)).body.data.attention;

test('the creation warns, and both connections show it, in the list also', async () => {
  const first = await connect(tax(PERSON));
  expect(first).not.toHaveProperty('warnings');
  const second = await connect(tax('76.192.083-9'));
  expect(second.warnings).toEqual([
    { code: 'tax.login_shared', message: expect.stringContaining('same login'), connection_ids: [first.id] },
  ]);
  expect(second.attention).toEqual(SHARED);
  const listed = (await call(contract, handler, { ...session, query: 'attention=true' })).body.data;
  expect(listed.map(({ id, attention }: typeof first) => [id, attention])).toEqual(
    expect.arrayContaining([
      [first.id, SHARED],
      [second.id, SHARED],
    ]),
  );
  expect(await attentionOf(first.id)).toEqual(SHARED);
});

describe('the same company', () => {
  const bank = (source: string, scope = 'movements') => ({ external_source_code: source, enabled_scopes: [scope] });
  const two = (company: string) => ({ client_id: 'u', client_secret: 'p', company_rut: company });
  test.each([
    ['tax, the login by its own name', tax(PERSON), tax(PERSON, PERSON), {}],
    ['bankone, both the selected one', tax(PERSON), tax(PERSON), bank('bankone')],
    ['banktwo', two(COMPANY), two('77.000.002-5'), bank('banktwo')],
    ['bankthree', tax(PERSON, COMPANY), tax(PERSON, COMPANY), bank('bankthree')],
  ])('%s', async (_, one, other, changes) => {
    await connect(one, changes);
    expect((await connect(other, changes)).warnings).toHaveLength(1);
  });

  test.each([
    ['another company of the login', tax(PERSON, COMPANY), {}],
    ['another login of the company', tax(OTHER, PERSON), {}],
    ['another source', tax(PERSON), bank('bankthree')],
    ['bankone, a named company beside the selected one', tax(PERSON, COMPANY), bank('bankone')],
  ])('is silent of %s', async (_, other, changes) => {
    await connect(
      tax(PERSON),
      'external_source_code' in changes && changes.external_source_code === 'bankone' ? changes : {},
    );
    const made = await connect(other, changes);
    expect([made.warnings, made.attention]).toEqual([undefined, []]);
  });

  test('is silent of a shared procurement ticket, and of another organization', async () => {
    const procurement = { external_source_code: 'procurement', enabled_scopes: ['licitaciones'] };
    await connect({ ticket: 'T' }, procurement);
    expect((await connect({ ticket: 'T' }, procurement)).attention).toEqual([]);
    await connect(tax(PERSON));
    api = connectionApi((await callersOf(randomUUID())).session);
    expect((await connect(tax(PERSON))).attention).toEqual([]);
  });
});

describe('is over', () => {
  test('when one of the two is deleted', async () => {
    const [first, second] = [await connect(tax(PERSON)), await connect(tax(PERSON))];
    expect((await api.remove(second.id)).status).toBe(200);
    expect(await attentionOf(first.id)).toEqual([]);
    expect((await connect(tax(PERSON))).warnings![0]!.connection_ids).toEqual([first.id]);
  });

  test('when one of the two gets the credentials of another company, and begins again with the former', async () => {
    const [first, second] = [await connect(tax(PERSON)), await connect(tax(PERSON))];
    const changed = await api.update(second.id, { credentials: tax(PERSON, COMPANY) });
    expect(changed.body.data.attention).toEqual([]);
    expect(await attentionOf(first.id)).toEqual([]);
    expect((await api.update(second.id, { credentials: tax(PERSON) })).body.data.attention).toEqual(SHARED);
    expect(await attentionOf(first.id)).toEqual(SHARED);
  });

  test('with a new password only, it is not', async () => {
    const [first, second] = [await connect(tax(PERSON)), await connect(tax(PERSON))];
    await api.update(second.id, { credentials: { rut: PERSON, password: 'new' }, name: 'B' });
    expect(await attentionOf(first.id)).toEqual(SHARED);
  });
});

test('a disabled connection needs nothing, the other one still does', async () => {
  const [first, second] = [await connect(tax(PERSON)), await connect(tax(PERSON))];
  await api.update(second.id, { enabled: false });
  expect([await attentionOf(first.id), await attentionOf(second.id)]).toEqual([SHARED, []]);
});

test('creations at once are all marked', async () => {
  const made = await Promise.all([1, 2, 3, 4].map(() => connect(tax(PERSON))));
  expect(await Promise.all(made.map(({ id }) => attentionOf(id)))).toEqual(made.map(() => SHARED));
  expect(made.some(({ warnings }) => warnings !== undefined)).toBe(true);
});

test(`names ${CONNECTION_LIMITS.loginSharersMax} of more others`, async () => {
  const all = await Promise.all(Array.from({ length: 12 }, () => connect(tax(PERSON))));
  const { warnings, id } = await connect(tax(PERSON));
  const named = warnings![0]!.connection_ids;
  expect(new Set(named).size).toBe(CONNECTION_LIMITS.loginSharersMax);
  expect(named).not.toContain(id);
  expect(all.map((each) => each.id)).toEqual(expect.arrayContaining(named));
});

test('no answer shows the stored hash', async () => {
  const { id } = await connect(tax(PERSON));
  const { account_key: hash } = (await table.get(keys.connection(organizationId, id)))!;
  expect(hash).toMatch(/^[0-9a-f]{32}\.[\w-]{6}$/);
  const answers = [await api.get(id), await api.list(), await api.create(newConnection({ credentials: tax(PERSON) }))];
  expect(JSON.stringify(answers)).not.toContain(hash);
});

test('after any changes, each connection shows what the credentials of all of them say', async () => {
  const random = randomFrom(38);
  const truth = new Map<string, string>();
  const drawn = () => [random.pick([PERSON, OTHER]), random.pick([PERSON, COMPANY])] as const;
  for (let n = 0; n < 40; n++) {
    const [rut, company] = drawn();
    const id = truth.size === 0 ? undefined : random.pick([...truth.keys()]);
    const act = random.pick(['create', 'create', 'change', 'remove']);
    if (act === 'create' || id === undefined) truth.set((await connect(tax(rut, company))).id, `${rut} ${company}`);
    else if (act === 'change') {
      await api.update(id, { credentials: tax(rut, company) });
      truth.set(id, `${rut} ${company}`);
    } else {
      await api.remove(id);
      truth.delete(id);
    }
    const shared = (account: string) => [...truth.values()].filter((other) => other === account).length > 1;
    const expected = [...truth].map(([each, account]) => [each, shared(account) ? SHARED : []]).sort();
    const listed = (await api.list()).body.data.map((each: { id: string; attention: string[] }) => [
      each.id,
      each.attention,
    ]);
    expect(listed.sort()).toEqual(expected);
    for (const [each, codes] of expected) expect(await attentionOf(each as string)).toEqual(codes);
  }
});
