/**
 * The cost of reading changes, in units: compared with the list of the same rows, for a few isolated changes, and for a
 * poll that finds nothing.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract } from '#functions/api/tax-rcv-documents/list-tax-rcv-documents/contract.ts';
import { scopeId } from '#shared/scopes/scope.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { changeRows } from '#test/bench/fill-scope.ts';
import { newReadWorld, type ReadWorld } from '#test/bench/read-world.ts';
import { tableCallsOf } from '#test/bench/table-calls.ts';
import { startTable, type TestTable } from '#test/helpers/dynamo.ts';
import { IS_WHOLE } from '#test/helpers/effort.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { ROW_MAKERS } from '#test/helpers/scope-rows.ts';
import { storeConnection } from '#test/helpers/stored-connection.ts';
import { newSyncedScope } from '#test/helpers/synced-scope.ts';

const PAGE = 200;
/** Read units from the design of the feed, section "Proof". */
const TO_REACH = { idle: 3, timesListing: 1.3, sparse: 350 };

let server: TestTable;
beforeAll(async () => {
  server = await startTable();
});
afterAll(() => server.stop());

/** All changes after a cursor. */
const readAll = async (world: ReadWorld, cursor: string | null) => {
  let rows = 0;
  let pages = 0;
  let next = cursor;
  for (let hasMore = true; hasMore; ) {
    const page = await world.changes(`limit=${PAGE}${next === null ? '' : `&cursor=${next}`}`);
    rows += page.rows;
    pages++;
    next = page.cursor;
    hasMore = page.hasMore;
  }
  return { rows, pages, cursor: next! };
};

const unitsToList = async (world: ReadWorld): Promise<number> => {
  const { readUnits } = await tableCallsOf(async () => {
    for (let offset = 0; offset < world.rows; offset += PAGE) await world.list(`limit=${PAGE}&offset=${offset}`);
  });
  return readUnits;
};

describe('four months of rows', () => {
  let world: ReadWorld;
  beforeAll(async () => {
    world = await newReadWorld(
      server,
      taxRcv,
      contract.id,
      Array.from({ length: 4 }, () => (IS_WHOLE ? 2_500 : 700)),
    );
    // The first use of a credential is stored, at most once a minute.
    await world.list('limit=1');
  });

  test('that all changed cost what it costs to list them as consistently', async () => {
    let read = { rows: 0, pages: 0, cursor: '' };
    const { readUnits, writeUnits } = await tableCallsOf(async () => {
      read = await readAll(world, null);
    });
    expect(read).toMatchObject({ rows: world.rows });
    expect(writeUnits).toBe(0);
    const listing = await unitsToList(world);
    expect(readUnits, `listing takes ${listing}`).toBeLessThanOrEqual(TO_REACH.timesListing * listing);
  });
});

describe('a month of 8,333 rows', () => {
  let world: ReadWorld;
  beforeAll(async () => {
    world = await newReadWorld(server, taxRcv, contract.id, [8_333]);
    await world.list('limit=1');
  });

  test('with 100 isolated changes costs little more than the blocks that they are in', async () => {
    const { cursor } = await readAll(world, null);
    await changeRows(world.address, { scope: taxRcv, period: world.periods[0]!, count: 100 });
    let read = { rows: 0, pages: 0, cursor: '' };
    const { readUnits } = await tableCallsOf(async () => {
      read = await readAll(world, cursor);
    });
    expect(read.rows).toBe(100);
    expect(readUnits).toBeLessThanOrEqual(TO_REACH.sparse);
  });

  test('of which one row changed is read by a few units', async () => {
    const { cursor } = await readAll(world, null);
    await changeRows(world.address, { scope: taxRcv, period: world.periods[0]!, count: 1 });
    const { readUnits } = await tableCallsOf(async () => {
      expect(await readAll(world, cursor)).toMatchObject({ rows: 1, pages: 1 });
    });
    expect(readUnits).toBeLessThanOrEqual(15);
  });
});

test('a poll that finds nothing costs three units, of as many scopes as there are', async () => {
  const world = await newReadWorld(server, taxRcv, contract.id, [10]);
  await world.list('limit=1');
  const { organizationId } = world.address;
  const connectionId = await storeConnection(organizationId, 'bankone');
  for (const scope of SCOPES.filter(({ source }) => source === 'bankone')) {
    const synced = await newSyncedScope(scope, { organizationId, connectionId });
    await synced.sync('2026-10', [ROW_MAKERS[scopeId(scope)]!(randomFrom(1), '2026-10', 1)]);
  }
  const bank: ReadWorld = { ...world, changes: (query) => world.changes(query, connectionId) };
  for (const each of [world, bank]) {
    const { cursor, rows } = await readAll(each, null);
    expect(rows).toBeGreaterThan(0);
    const { readUnits, calls } = await tableCallsOf(() => each.changes(`cursor=${cursor}`));
    expect(readUnits).toBeLessThanOrEqual(TO_REACH.idle);
    expect(calls).toBe(2);
  }
});
