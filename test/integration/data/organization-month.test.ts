/**
 * A month of an organization with many connections, of which a few change each day: the mirror that follows only the
 * organization's feed equals the lists, for a small part of the requests and units of polling every connection.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { announceDeletedConnection } from '#shared/rows/index/announce-scope.store.ts';
import { findSummary } from '#shared/rows/index/page-index.store.ts';
import { readChanges } from '#shared/rows/read/read-changes.store.ts';
import { readPage } from '#shared/rows/read/read-page.store.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { tableCallsOf } from '#test/bench/table-calls.ts';
import { OrganizationReader } from '#test/faults/world/organization-reader.ts';
import { startTable, type TestTable } from '#test/helpers/dynamo.ts';
import { IS_WHOLE } from '#test/helpers/effort.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { ROW_MAKERS } from '#test/helpers/scope-rows.ts';
import { storeConnection } from '#test/helpers/stored-connection.ts';
import { newSyncedScope, type SyncedScope } from '#test/helpers/synced-scope.ts';

const PERIOD = '2026-10';
const CONNECTIONS = IS_WHOLE ? 200 : 20;
const DAYS = IS_WHOLE ? 30 : 10;
const POLLS_A_DAY = 24;
const CHANGED_A_DAY = CONNECTIONS / 20;

let server: TestTable;
beforeAll(async () => {
  server = await startTable();
});
afterAll(() => server.stop());

const sorted = (rows: Iterable<Row>): string[] => [...rows].map((row) => JSON.stringify(row)).sort();

const listed = async ({ address, scope }: SyncedScope): Promise<Row[]> => {
  const filter = { period: null, facets: {}, days: { from: null, to: null } };
  const { rows } = await readPage({ address, scope, filter, offset: 0, limit: 200 }, await findSummary(address));
  return rows;
};

test('a mirror equals the lists of each day’s changes, and all lists in the end', { timeout: 600_000 }, async () => {
  const organizationId = randomUUID();
  const random = randomFrom(38);
  const reader = new OrganizationReader(organizationId, randomFrom(200), 200);
  const live: SyncedScope[] = [];
  for (let n = 0; n < CONNECTIONS; n++) {
    const connectionId = await storeConnection(organizationId, taxRcv.source);
    live.push(await newSyncedScope(taxRcv, { organizationId, connectionId }));
  }
  const sync = ({ sync: write }: SyncedScope, day: number) =>
    write(
      PERIOD,
      Array.from({ length: 5 }, (_, n) => ROW_MAKERS['tax.rcv']!(randomFrom(10 * day + n), PERIOD, n)),
    );
  for (const each of live) await sync(each, 0);
  await reader.catchUp();
  let spent = 0;
  const gone: string[] = [];
  for (let day = 1; day <= DAYS; day++) {
    const changed = Array.from({ length: CHANGED_A_DAY }, () => random.pick(live));
    for (const each of changed) await sync(each, day);
    if (day % 5 === 0) {
      const { address } = live.pop()!;
      await connections.remove(organizationId, address.connectionId, BY_SERVICE);
      await announceDeletedConnection(organizationId, address.connectionId, ['rcv']);
      gone.push(address.connectionId);
    }
    const poll = async () => (await tableCallsOf(() => reader.catchUp())).readUnits;
    // The first poll of a day reads its changes. The others find none, and each costs what the second does.
    spent += (await poll()) + (POLLS_A_DAY - 1) * (await poll());
    // All lists of each day would be 6,000 reads.
    for (const each of day === DAYS ? live : changed.filter((one) => live.includes(one))) {
      const copied = reader.mirrorOf(each.address.connectionId).values();
      expect(sorted([...copied].map(({ row }) => row))).toEqual(sorted(await listed(each)));
    }
  }
  expect(gone.flatMap((id) => [...reader.mirrorOf(id)])).toEqual([]);
  expect(reader.violations).toEqual([]);

  const [{ address }] = live as [SyncedScope];
  let cursor: string | null = null;
  const read = async () => {
    const page = await readChanges({ ...address, filter: null, cursor, limit: 200 });
    cursor = page!.nextCursor;
  };
  await read();
  const idle = await tableCallsOf(read);
  const polled = idle.readUnits * CONNECTIONS * POLLS_A_DAY * DAYS;
  const told = `${spent} units instead of ${polled}, ${CONNECTIONS} connections, ${DAYS} days`;
  expect(spent, told).toBeLessThan(polled / (CONNECTIONS / 10));
});
