/**
 * Connections are found by reference and RUT in an index, which older versions did not write: after any order of changes,
 * the lists by reference and RUT are the filtered list of all connections.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract } from '#functions/api/connections/list-connections/contract.ts';
import { handler } from '#functions/api/connections/list-connections/handler.ts';
import { readAccountHash } from '#shared/connections/account-key.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { listIdsWith } from '#shared/connections/connection-index.store.ts';
import { CONNECTION_LIMITS } from '#shared/connections/limits.ts';
import { keys, type SharedTrait } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import { tableCallsOf } from '#test/bench/table-calls.ts';
import { type Credential, callersOf } from '#test/helpers/callers.ts';
import { type ConnectionApi, connectionApi, newConnection } from '#test/helpers/connection-api.ts';
import { startTable, type TestTable } from '#test/helpers/dynamo.ts';
import { runs } from '#test/helpers/effort.ts';
import { call } from '#test/helpers/http.ts';
import { useKeyFile } from '#test/helpers/key-file.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';

const REFERENCES = ['cliente-1', 'a#b'] as const;
const RUTS = ['76192083-9', '77000002-5'] as const;
const TRAITS: readonly SharedTrait[] = [
  ...REFERENCES.map((reference) => ['REFERENCE', reference] as const),
  ...RUTS.map((companyRut) => ['COMPANY', companyRut] as const),
];

let server: TestTable;
let keyFile: { remove(): void };
let organizationId: OrganizationId;
let session: Credential;
let api: ConnectionApi;

beforeAll(async () => {
  server = await startTable();
  keyFile = useKeyFile();
  useSharedSecretIssuer();
});
afterAll(async () => {
  keyFile.remove();
  await server.stop();
});
const newOrganization = async (): Promise<void> => {
  organizationId = randomUUID() as OrganizationId;
  session = (await callersOf(organizationId)).session;
  api = connectionApi(session);
};

interface Listed {
  id: string;
  metadata: Record<string, string | undefined>;
  attention: string[];
}

const list = async (query = ''): Promise<Listed[]> => (await call(contract, handler, { ...session, query })).body.data;

const queryFor = ([kind, value]: SharedTrait): string =>
  `${kind === 'REFERENCE' ? 'reference' : 'company_rut'}=${encodeURIComponent(value)}`;

const hasTrait =
  ([kind, value]: SharedTrait) =>
  ({ metadata }: Listed): boolean =>
    metadata[kind === 'REFERENCE' ? 'reference' : 'company_rut'] === value;

/** The lists by every reference and RUT are parts of the list of all connections. */
const compareLists = async (): Promise<void> => {
  const all = await list();
  for (const trait of TRAITS) expect(await list(queryFor(trait)), queryFor(trait)).toEqual(all.filter(hasTrait(trait)));
};

const allEntries = async (): Promise<string[][]> =>
  Promise.all(TRAITS.map((trait) => listIdsWith(organizationId, trait, 1_000)));

/** The index has each connection once for each of its traits, and nothing else. */
const compareEntries = async (): Promise<void> => {
  const all = await list();
  const expected = TRAITS.map((trait) =>
    all
      .filter(hasTrait(trait))
      .map(({ id }) => id)
      .sort(),
  );
  expect(await allEntries()).toEqual(expected);
};

const removeEntries = async (id: string): Promise<void> => {
  for (const trait of TRAITS) await table.remove(keys.connectionEntry(organizationId, trait, id));
};

/** What a version before the index did: it changed connections, their number and their accounts, and no other entries. */
const older = {
  create: async (metadata: object): Promise<void> => {
    const { id } = (await api.create(newConnection({ metadata }))).body;
    await removeEntries(id);
    await table.update(keys.connectionCount(organizationId), { add: { indexed: -1 } });
  },
  remove: async (id: string): Promise<void> => {
    const { source, accountKey } = (await connections.find(organizationId, id as ConnectionId))!;
    const account = readAccountHash(accountKey)!;
    await table.remove(keys.connectionEntry(organizationId, ['ACCOUNT', source, account], id));
    await table.remove(keys.connection(organizationId, id as ConnectionId));
    await table.update(keys.connectionCount(organizationId), { add: { count: -1 } });
  },
  /** The organization as it was before there was an index. */
  forget: async (): Promise<void> => {
    for (const { id } of await list()) await removeEntries(id);
    await table.update(keys.connectionCount(organizationId), { remove: ['indexed'] });
  },
};

const metadata = fc.record(
  { reference: fc.constantFrom(...REFERENCES), company_rut: fc.constantFrom(...RUTS) },
  { requiredKeys: [] },
);
const clearing = fc.record(
  { reference: fc.constantFrom(...REFERENCES, null), company_rut: fc.constantFrom(...RUTS, null) },
  { requiredKeys: [] },
);
const nth = fc.nat({ max: 5 });
const STEPS = {
  create: fc.record({ act: fc.constant('create' as const), metadata }),
  change: fc.record({ act: fc.constant('change' as const), nth, metadata: clearing }),
  remove: fc.record({ act: fc.constant('remove' as const), nth }),
  'older create': fc.record({ act: fc.constant('older create' as const), metadata }),
  'older remove': fc.record({ act: fc.constant('older remove' as const), nth }),
  forget: fc.record({ act: fc.constant('forget' as const) }),
};
type Step = {
  [Act in keyof typeof STEPS]: (typeof STEPS)[Act] extends fc.Arbitrary<infer T> ? T : never;
}[keyof typeof STEPS];

const take = async (chosen: Step): Promise<void> => {
  if (chosen.act === 'create') return void (await api.create(newConnection({ metadata: chosen.metadata })));
  if (chosen.act === 'older create') return older.create(chosen.metadata);
  const all = await list();
  if (all.length === 0) return;
  if (chosen.act === 'forget') return older.forget();
  const { id } = all[chosen.nth % all.length]!;
  if (chosen.act === 'change') await api.update(id, { metadata: chosen.metadata });
  else if (chosen.act === 'remove') await api.remove(id);
  else await older.remove(id);
};

describe('the index of connections', () => {
  // The number of connections does not show that an older version made one and deleted another (decisions.md §3).
  test.each([
    ['made', 'older create'],
    ['deleted', 'older remove'],
  ] as const)(
    'after any changes, some %s by an older version, each list is a part of the whole list',
    async (_, act) => {
      const steps = fc.oneof(
        STEPS.create,
        STEPS.change,
        STEPS.remove,
        STEPS[act],
        STEPS[act === 'older create' ? 'forget' : act],
      );
      await fc.assert(
        fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 12 }), async (taken) => {
          await newOrganization();
          for (const chosen of taken) {
            await take(chosen);
            await compareLists();
          }
        }),
        { numRuns: runs(40) },
      );
    },
  );

  test('creations, changes and deletions leave exactly the entries of what is there', async () => {
    await newOrganization();
    const ids: string[] = [];
    for (const reference of REFERENCES)
      for (const company_rut of RUTS)
        ids.push((await api.create(newConnection({ metadata: { reference, company_rut } }))).body.id);
    await compareEntries();
    await api.update(ids[0]!, { metadata: { reference: 'a#b', company_rut: null } });
    await api.remove(ids[1]!);
    await compareEntries();
    expect((await list('reference=a%23b')).map(({ id }) => id)).toEqual([ids[3], ids[2], ids[0]]);
  });

  test('reads two units for one connection among many, and all of them where the index is not complete', async () => {
    await newOrganization();
    for (let n = 0; n < 40; n++) await api.create(newConnection({ metadata: { reference: `r-${n}` } }));
    const found = await tableCallsOf(async () => expect(await list('reference=r-7')).toHaveLength(1));
    // The session's credential is read as well.
    const nothing = await tableCallsOf(async () => expect(await list('reference=absent')).toEqual([]));
    expect(found.readUnits - nothing.readUnits).toBe(2);
    expect(found.reads.map(({ what }) => what)).not.toContain('Query CONFIG');
    await older.create({ reference: 'r-7' });
    const whole = await tableCallsOf(async () => expect(await list('reference=r-7')).toHaveLength(2));
    expect(whole.reads.map(({ what }) => what)).toContain('Query CONFIG');
  });

  test('says that a login is shared, although the other connection has another reference', async () => {
    await newOrganization();
    await api.create(newConnection({ metadata: { reference: 'cliente-1' } }));
    await api.create(newConnection({ metadata: { reference: 'a#b' } }));
    const [found] = await list('reference=cliente-1');
    expect(found!.attention).toEqual(['tax.login_shared']);
    expect(await list('reference=cliente-1&attention=true')).toHaveLength(1);
  });

  test('more connections of one RUT than are read one by one are listed exactly', async () => {
    await newOrganization();
    const [companyRut] = RUTS;
    const { id } = (await api.create(newConnection({ metadata: { company_rut: companyRut } }))).body;
    const item = (await table.get(keys.connection(organizationId, id)))!;
    const copies = Array.from({ length: CONNECTION_LIMITS.foundByIndexMax + 5 }, () => randomUUID() as ConnectionId);
    await table.batchWrite({
      puts: copies.flatMap((copy) => [
        { ...item, ...keys.connection(organizationId, copy), id: copy },
        { ...keys.connectionEntry(organizationId, ['COMPANY', companyRut], copy) },
      ]),
    });
    await table.update(keys.connectionCount(organizationId), {
      add: { count: copies.length, indexed: copies.length },
    });
    expect(await list(`company_rut=${companyRut}`)).toHaveLength(copies.length + 1);
    expect(await list(`company_rut=${companyRut}&status=error`)).toEqual([]);
  });
});
