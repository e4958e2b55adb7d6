/** Rows of tenders whose writer died or froze: which process announces them, and when. */
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test, vi } from 'vitest';
import { keys } from '#shared/table/keys.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import * as table from '#shared/table/table.ts';
import { announceLeft, markUnannounced } from '#shared/tenders/tender-changes.store.ts';
import { deleteTenders } from '#shared/tenders/tender-purge.store.ts';
import { at, fichaRow, tenders, useProcurement } from '#test/helpers/procurement.ts';
import { CODIGO, type Owner, read, readAll, readDocuments, setUp } from '#test/helpers/tender-changes.ts';

useProcurement();

describe('older rows of a connection that come after its newest reading', () => {
  const setUpRead = async () => {
    const owners = await setUp();
    await read(owners.second, fichaRow(CODIGO), 1);
    await read(owners.first, fichaRow(CODIGO), 2);
    return owners;
  };

  const isToldWhenOvertaken = async ({ second, ask }: Awaited<ReturnType<typeof setUp>>) => {
    const { cursor } = await readAll(ask);
    // Nothing new to the second connection; from now on its row is the served one.
    await read(second, fichaRow(CODIGO), 3);
    expect((await readAll(ask, cursor)).changes).toMatchObject([{ connection_id: second.connectionId }]);
  };

  test('are announced, and again when the reading of another connection is served instead', async () => {
    const owners = await setUpRead();
    const { cursor } = await readAll(owners.ask);
    await read(owners.first, fichaRow(CODIGO, { nombre: 'late' }), 0);
    expect((await readAll(owners.ask, cursor)).changes).toMatchObject([{ observed_at: at(0) }]);
    await isToldWhenOvertaken(owners);
  });

  test('are listed and announced by the sweeper if their writer died, and again when they are no longer served', async () => {
    const owners = await setUpRead();
    const address = { ...owners.first, codigo: CODIGO };
    await markUnannounced(address, 'licitaciones', 7);
    const { pk, prefix } = keys.tenderRowsOf(address, 'licitaciones');
    const [row] = await table.query(pk, { prefix });
    const shown = { ...JSON.parse(String(row!.row)), nombre: 'late' };
    await table.put({ ...row!, row: JSON.stringify(shown), hash: 'late' });
    await announceLeft(address, async () => 7);
    const listed = await tenders('', owners.callers.key);
    expect(listed.body.data).toMatchObject([{ codigo: CODIGO, nombre: 'late' }]);
    await isToldWhenOvertaken(owners);
  });

  test('do not occur when a reading is repeated', async () => {
    const { first, second, ask } = await setUpRead();
    await readDocuments(second, ['Bases.pdf'], 1);
    // The second write is that of a worker that resumes with the stored answer of another one.
    for (const minute of [2, 2]) {
      await read(first, fichaRow(CODIGO), minute);
      await readDocuments(first, ['Bases.pdf'], minute);
    }
    const { cursor } = await readAll(ask);
    await read(second, fichaRow(CODIGO), 3);
    await readDocuments(second, ['Bases.pdf'], 3);
    expect((await readAll(ask, cursor)).changes).toEqual([]);
  });

  test('of a scope that is not listed are also announced when they are no longer served', async () => {
    const owners = await setUpRead();
    await readDocuments(owners.second, ['Bases.pdf'], 1);
    await readDocuments(owners.first, ['Bases.pdf'], 2);
    await readDocuments(owners.first, ['late.pdf'], 0);
    const { cursor } = await readAll(owners.ask);
    await readDocuments(owners.second, ['Bases.pdf'], 3);
    expect((await readAll(owners.ask, cursor)).changes).toMatchObject([
      { connection_id: owners.second.connectionId, scope: 'documentos' },
    ]);
  });
});

test('of many simultaneous announcements none is lost', async () => {
  const { first, second, ask } = await setUp();
  const codes = Array.from({ length: 12 }, (_, n) => `1-${n + 1}-LE26`);
  await Promise.all(codes.map((codigo, n) => read(n % 2 === 0 ? first : second, fichaRow(codigo), n)));
  // Announcements that lost a conflict are left to the sweeper.
  for (const [n, codigo] of codes.entries())
    await announceLeft({ ...(n % 2 === 0 ? first : second), codigo }, async () => 7);
  const { changes } = await readAll(ask, '', 5);
  expect(new Set(changes.map(({ codigo }) => codigo))).toEqual(new Set(codes));
});

describe('a mark that a dead writer left', () => {
  const known = (owner: Owner) => table.get(keys.tenderOf({ ...owner, codigo: CODIGO }));

  test('is announced by the next reading, though it finds nothing new, and once more later', async () => {
    const { first, ask } = await setUp();
    await read(first, fichaRow(CODIGO), 0);
    const { cursor } = await readAll(ask);
    await markUnannounced({ ...first, codigo: CODIGO }, 'licitaciones', 7);
    await read(first, fichaRow(CODIGO), 1, 8);
    const next = await readAll(ask, cursor);
    expect(next.changes).toMatchObject([{ codigo: CODIGO, observed_at: at(1) }]);
    const [mark] = [...((await known(first))!.unannounced as Set<string>)];
    expect(mark).toMatch(/^licitaciones#late#\d+$/);
    await announceLeft({ ...first, codigo: CODIGO }, async () => 7);
    expect((await readAll(ask, next.cursor)).changes).toEqual([]);
    expect(await known(first)).toHaveProperty('due_pk');
    const overMs = Date.now() + TABLE_LIMITS.lateWriteMs;
    vi.spyOn(Date, 'now').mockReturnValue(overMs);
    await announceLeft({ ...first, codigo: CODIGO }, async () => 7);
    vi.restoreAllMocks();
    expect((await readAll(ask, next.cursor)).changes).toMatchObject([{ codigo: CODIGO, observed_at: null }]);
    expect(await known(first)).not.toHaveProperty('unannounced');
  });

  test('is announced by the sweeper, but not while its writer holds the lease', async () => {
    const { first, ask } = await setUp();
    await read(first, fichaRow(CODIGO), 0);
    const { cursor } = await readAll(ask);
    await markUnannounced({ ...first, codigo: CODIGO }, 'licitaciones', 7);
    await announceLeft({ ...first, codigo: CODIGO }, async () => 6);
    expect((await readAll(ask, cursor)).changes).toEqual([]);
    await announceLeft({ ...first, codigo: CODIGO }, async () => 7);
    expect((await readAll(ask, cursor)).changes).toMatchObject([{ codigo: CODIGO, observed_at: null }]);
  });

  test('is announced while the lease is held by a later writer, whose own mark stays', async () => {
    const { first, ask } = await setUp();
    const address = { ...first, codigo: CODIGO };
    await read(first, fichaRow(CODIGO), 0);
    const { cursor } = await readAll(ask);
    for (const fence of [7, 8]) await markUnannounced(address, 'licitaciones', fence);
    await announceLeft(address, async () => 7);
    expect((await readAll(ask, cursor)).changes).toMatchObject([{ codigo: CODIGO, observed_at: null }]);
    const [own, late] = [...((await known(first))!.unannounced as Set<string>)].sort();
    expect([own, late]).toEqual(['licitaciones#8', expect.stringMatching(/^licitaciones#late#\d+$/)]);
  });

  test('is announced by a writer with its lease, never by a superseded one', async () => {
    const { first, ask } = await setUp();
    await read(first, fichaRow(CODIGO), 0);
    await markUnannounced({ ...first, codigo: CODIGO }, 'licitaciones', 8);
    await read(first, fichaRow(CODIGO, { nombre: 'of the writer before' }), 1, 7);
    expect((await known(first))!.unannounced).toEqual(new Set(['licitaciones#8']));
    const { cursor } = await readAll(ask);
    await read(first, fichaRow(CODIGO, { nombre: 'of the next one' }), 2, 8);
    expect((await readAll(ask, cursor)).changes).toMatchObject([{ observed_at: at(2) }]);
    expect(await known(first)).not.toHaveProperty('unannounced');
  });

  test('that dies after the note of a reading without news, which makes other rows the served ones, is announced', async () => {
    const { first, second, ask } = await setUp();
    const address = { ...first, codigo: CODIGO };
    for (const owner of [first, second]) await read(owner, fichaRow(CODIGO), 0);
    await readDocuments(first, ['old.pdf'], 1);
    await readDocuments(second, ['new.pdf'], 2);
    const { cursor } = await readAll(ask);
    const send = DynamoDBDocumentClient.prototype.send;
    const spy = vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(function (
      this: DynamoDBDocumentClient,
      ...args
    ) {
      if (args[0] instanceof TransactWriteCommand) throw new Error('died');
      return send.apply(this, args);
    });
    await expect(readDocuments(first, ['old.pdf'], 3)).rejects.toThrow('died');
    spy.mockRestore();
    await announceLeft(address, async () => 7);
    expect((await readAll(ask, cursor)).changes).toMatchObject([
      { connection_id: first.connectionId, scope: 'documentos', observed_at: null },
    ]);
  });

  test('of rows that no reading was noted of is announced when one is', async () => {
    const { first, ask } = await setUp();
    await read(first, fichaRow(CODIGO), 0);
    // The state if the writer had died before the note: the rows are stored, but nothing is served.
    await table.remove(keys.tenderRead({ ...first, codigo: CODIGO }));
    await table.update(keys.tenderOf({ ...first, codigo: CODIGO }), { remove: ['licitaciones_at'] });
    const { cursor } = await readAll(ask);
    await read(first, fichaRow(CODIGO), 1);
    expect((await readAll(ask, cursor)).changes).toMatchObject([{ codigo: CODIGO, observed_at: at(1) }]);
  });

  test('of a connection that is deleted while the sweeper looks brings nothing back', async () => {
    const { first } = await setUp();
    const address = { ...first, codigo: CODIGO };
    await read(first, fichaRow(CODIGO), 0);
    await markUnannounced(address, 'licitaciones', 7);
    await announceLeft(address, async () => {
      await deleteTenders(first, () => true);
      return 7;
    });
    const kept = [keys.tenderOf(address), keys.tenderRead(address), keys.tenderListed(first.organizationId, CODIGO)];
    expect(await table.batchGet(kept)).toEqual([]);
  });

  test('that nobody left makes no entry due', async () => {
    const { first } = await setUp();
    await read(first, fichaRow(CODIGO), 0);
    expect(await known(first)).not.toHaveProperty('due_pk');
    expect(await known(first)).not.toHaveProperty('unannounced');
  });
});
