/** What a reader of an organization's tenders is told: what to read again, once each, whoever wrote, in one order. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { contract } from '#functions/api/procurement/list-tender-changes/contract.ts';
import { handler } from '#functions/api/procurement/list-tender-changes/handler.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { procurementDocumentos } from '#shared/scopes/procurement-documentos.ts';
import { procurementLicitaciones } from '#shared/scopes/procurement-licitaciones.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { writeTender } from '#shared/tenders/tender.store.ts';
import { announceLeft, markUnannounced } from '#shared/tenders/tender-changes.store.ts';
import { deleteTenders } from '#shared/tenders/tender-purge.store.ts';
import { callersOf } from '#test/helpers/callers.ts';
import { call } from '#test/helpers/http.ts';
import { at, fichaRow, tenders, useProcurement } from '#test/helpers/procurement.ts';

useProcurement();

const CODIGO = '1-1-LE26';

const documentRow: Row = {
  codigo: CODIGO,
  documento_id: 'd1',
  origen: 'anexo',
  nombre: 'Bases.pdf',
  tipo: null,
  descripcion: null,
  tamano: '1024',
  fecha_adjunto: null,
  locator: { page: 1 },
};

interface Owner {
  organizationId: string;
  connectionId: string;
}

const setUp = async () => {
  const organizationId = randomUUID();
  const callers = await callersOf(organizationId);
  const connections = [randomUUID(), randomUUID()].map((connectionId): Owner => ({ organizationId, connectionId }));
  const ask = (query = '') => call(contract, handler, { ...callers.key, query });
  return { first: connections[0]!, second: connections[1]!, ask, callers, organizationId };
};

const read = (owner: Owner, row: Row, minute: number) =>
  writeTender({ ...owner, codigo: String(row.codigo) }, procurementLicitaciones, {
    rows: [{ row, raw: { a: 1 } }],
    observedAt: at(minute),
    runId: randomUUID(),
  });

/** Pages until nothing more is there. */
const readAll = async (ask: (query: string) => ReturnType<typeof call>, cursor = '', limit = 50) => {
  const changes: Record<string, unknown>[] = [];
  let next = cursor;
  for (let hasMore = true; hasMore; ) {
    const { body } = await ask(`limit=${limit}${next === '' ? '' : `&cursor=${next}`}`);
    changes.push(...body.data);
    next = body.feed.next_cursor;
    hasMore = body.feed.has_more;
  }
  return { changes, cursor: next };
};

test('a tender that is new or changed is told with scope and connection; one that is not changed is not', async () => {
  const { first, ask } = await setUp();
  await read(first, fichaRow(CODIGO), 0);
  const begun = await readAll(ask);
  expect(begun.changes).toEqual([
    {
      change: 'changed',
      codigo: CODIGO,
      scope: 'licitaciones',
      connection_id: first.connectionId,
      observed_at: at(0),
      sequence: 1,
    },
  ]);
  await read(first, fichaRow(CODIGO), 1);
  expect((await readAll(ask, begun.cursor)).changes).toEqual([]);
  await read(first, fichaRow(CODIGO, { nombre: 'otro' }), 2);
  const next = await readAll(ask, begun.cursor);
  expect(next.changes).toMatchObject([{ codigo: CODIGO, observed_at: at(2), sequence: 2 }]);
  // Of one tender, scope and connection the last change alone is there.
  expect((await readAll(ask)).changes).toHaveLength(1);
});

test('pages go on where the last one ended, over scopes and connections', async () => {
  const { first, second, ask } = await setUp();
  for (const [n, owner] of [first, second, first, second, first].entries())
    await read(owner, fichaRow(`1-${n + 1}-LE26`), n);
  await writeTender({ ...first, codigo: CODIGO }, procurementDocumentos, {
    rows: [{ row: documentRow }],
    observedAt: at(9),
    runId: randomUUID(),
  });
  const all = await readAll(ask, '', 2);
  expect(all.changes.map(({ codigo }) => codigo)).toEqual([
    ...['1-1-LE26', '1-2-LE26', '1-3-LE26', '1-4-LE26', '1-5-LE26'],
    CODIGO,
  ]);
  expect(all.changes.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(all.changes.at(-1)).toMatchObject({ scope: 'documentos' });
});

test('a reading that makes what another connection stored the served row no longer served is told', async () => {
  const { first, second, ask } = await setUp();
  await read(first, fichaRow(CODIGO, { nombre: 'old' }), 0);
  await read(second, fichaRow(CODIGO, { nombre: 'new' }), 1);
  const begun = await readAll(ask);
  // The portal shows the old one again, which is nothing new to the first connection.
  await read(first, fichaRow(CODIGO, { nombre: 'old' }), 2);
  const next = await readAll(ask, begun.cursor);
  expect(next.changes).toMatchObject([{ connection_id: first.connectionId, observed_at: at(2) }]);
  await read(first, fichaRow(CODIGO, { nombre: 'old' }), 3);
  expect((await readAll(ask, next.cursor)).changes).toEqual([]);
});

describe('older rows of a connection that come after its newest reading', () => {
  const setUpRead = async () => {
    const owners = await setUp();
    await read(owners.second, fichaRow(CODIGO), 1);
    await read(owners.first, fichaRow(CODIGO), 2);
    return owners;
  };

  const isToldWhenOvertaken = async ({ second, ask }: Awaited<ReturnType<typeof setUp>>) => {
    const { cursor } = await readAll(ask);
    // Nothing new to the second connection, whose row is the served one from now on.
    await read(second, fichaRow(CODIGO), 3);
    expect((await readAll(ask, cursor)).changes).toMatchObject([{ connection_id: second.connectionId }]);
  };

  test('are told, and again when the reading of another connection is served in their place', async () => {
    const owners = await setUpRead();
    const { cursor } = await readAll(owners.ask);
    await read(owners.first, fichaRow(CODIGO, { nombre: 'late' }), 0);
    expect((await readAll(owners.ask, cursor)).changes).toMatchObject([{ observed_at: at(0) }]);
    await isToldWhenOvertaken(owners);
  });

  test('are listed and told by the sweeper where their writer died, and again when they are no longer served', async () => {
    const owners = await setUpRead();
    const address = { ...owners.first, codigo: CODIGO };
    await markUnannounced(address, 'licitaciones', 7);
    const { pk, prefix } = keys.tenderRowsOf(address, 'licitaciones');
    const [row] = await table.query(pk, { prefix });
    const shown = { ...JSON.parse(String(row!.row)), nombre: 'late' };
    await table.put({ ...row!, row: JSON.stringify(shown), hash: 'late' });
    await announceLeft(address, async () => true);
    const listed = await tenders('', owners.callers.key);
    expect(listed.body.data).toMatchObject([{ codigo: CODIGO, nombre: 'late' }]);
    await isToldWhenOvertaken(owners);
  });

  const readDocument = (owner: Owner, nombre: string, minute: number) =>
    writeTender({ ...owner, codigo: CODIGO }, procurementDocumentos, {
      rows: [{ row: { ...documentRow, nombre } }],
      observedAt: at(minute),
      runId: randomUUID(),
    });

  test('are none where a reading is repeated', async () => {
    const { first, second, ask } = await setUpRead();
    await readDocument(second, 'Bases.pdf', 1);
    // By a worker that goes on with the kept answer of another one.
    for (const minute of [2, 2]) {
      await read(first, fichaRow(CODIGO), minute);
      await readDocument(first, 'Bases.pdf', minute);
    }
    const { cursor } = await readAll(ask);
    await read(second, fichaRow(CODIGO), 3);
    await readDocument(second, 'Bases.pdf', 3);
    expect((await readAll(ask, cursor)).changes).toEqual([]);
  });

  test('of a scope that is not listed are told when they are no longer served, too', async () => {
    const owners = await setUpRead();
    await readDocument(owners.second, 'Bases.pdf', 1);
    await readDocument(owners.first, 'Bases.pdf', 2);
    await readDocument(owners.first, 'late.pdf', 0);
    const { cursor } = await readAll(owners.ask);
    await readDocument(owners.second, 'Bases.pdf', 3);
    expect((await readAll(owners.ask, cursor)).changes).toMatchObject([
      { connection_id: owners.second.connectionId, scope: 'documentos' },
    ]);
  });
});

test('a connection that was deleted is told of once, and its changes are gone', async () => {
  const { first, second, ask } = await setUp();
  await read(first, fichaRow(CODIGO), 0);
  await read(second, fichaRow(CODIGO), 1);
  const { cursor } = await readAll(ask);
  for (let tries = 0; tries < 3; tries++) await deleteTenders(first, () => true);
  const deleted = {
    change: 'connection_deleted',
    codigo: null,
    scope: null,
    connection_id: first.connectionId,
    observed_at: null,
  };
  expect((await readAll(ask, cursor)).changes).toMatchObject([deleted]);
  expect((await readAll(ask)).changes).toMatchObject([{ connection_id: second.connectionId }, deleted]);
});

test('of many that announce at the same time none is lost', async () => {
  const { first, second, ask } = await setUp();
  const codes = Array.from({ length: 12 }, (_, n) => `1-${n + 1}-LE26`);
  await Promise.all(codes.map((codigo, n) => read(n % 2 === 0 ? first : second, fichaRow(codigo), n)));
  // Those that came off badly are left to the sweeper.
  for (const [n, codigo] of codes.entries())
    await announceLeft({ ...(n % 2 === 0 ? first : second), codigo }, async () => true);
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
    await read(first, fichaRow(CODIGO), 1);
    const next = await readAll(ask, cursor);
    expect(next.changes).toMatchObject([{ codigo: CODIGO, observed_at: at(1) }]);
    const [mark] = [...((await known(first))!.unannounced as Set<string>)];
    expect(mark).toMatch(/^licitaciones#late#\d+$/);
    await announceLeft({ ...first, codigo: CODIGO }, async () => true);
    expect((await readAll(ask, next.cursor)).changes).toEqual([]);
    expect(await known(first)).toHaveProperty('due_pk');
    const overMs = Date.now() + LIMITS.lateWriteMs;
    vi.spyOn(Date, 'now').mockReturnValue(overMs);
    await announceLeft({ ...first, codigo: CODIGO }, async () => true);
    vi.restoreAllMocks();
    expect((await readAll(ask, next.cursor)).changes).toMatchObject([{ codigo: CODIGO, observed_at: null }]);
    expect(await known(first)).not.toHaveProperty('unannounced');
  });

  test('is announced by the sweeper, but not while somebody holds the lease', async () => {
    const { first, ask } = await setUp();
    await read(first, fichaRow(CODIGO), 0);
    const { cursor } = await readAll(ask);
    await markUnannounced({ ...first, codigo: CODIGO }, 'licitaciones', 7);
    await announceLeft({ ...first, codigo: CODIGO }, async () => false);
    expect((await readAll(ask, cursor)).changes).toEqual([]);
    await announceLeft({ ...first, codigo: CODIGO }, async () => true);
    expect((await readAll(ask, cursor)).changes).toMatchObject([{ codigo: CODIGO, observed_at: null }]);
  });

  test('of rows that no reading was noted of is announced when one is', async () => {
    const { first, ask } = await setUp();
    await read(first, fichaRow(CODIGO), 0);
    // As if the writer had died before the note: the rows are there, and nothing is served.
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
    await announceLeft(address, () => deleteTenders(first, () => true));
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

describe('a cursor', () => {
  test('of another organization, of connections, or none at all is refused; one before a restore has expired', async () => {
    const { first, ask } = await setUp();
    await read(first, fichaRow(CODIGO), 0);
    const other = await (await setUp()).ask();
    for (const cursor of [other.body.feed.next_cursor, 'bm9uZQ', 'x'.repeat(LIMITS.cursorCharsMax)]) {
      const answer = await ask(`cursor=${cursor}`);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_error']);
    }
    const { body } = await ask();
    const [version, , ...rest] = JSON.parse(Buffer.from(body.feed.next_cursor, 'base64url').toString());
    const former = Buffer.from(JSON.stringify([version, 'another table', ...rest])).toString('base64url');
    const expired = await ask(`cursor=${former}`);
    expect([expired.status, expired.body.error.code]).toEqual([410, 'cursor_expired']);
  });
});
