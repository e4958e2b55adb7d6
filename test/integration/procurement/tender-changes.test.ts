/**
 * What a reader of an organization's tenders receives: each tender to read again, once, in one order over all
 * connections.
 */

import { describe, expect, test } from 'vitest';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import { deleteTenders } from '#shared/tenders/tender-purge.store.ts';
import { ofAnotherTable } from '#test/helpers/former-cursor.ts';
import { at, fichaRow, useProcurement } from '#test/helpers/procurement.ts';
import { CODIGO, read, readAll, readDocuments, setUp } from '#test/helpers/tender-changes.ts';

useProcurement();

test('a new or changed tender is reported with scope and connection, an unchanged one is not', async () => {
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
  // Per tender, scope and connection only the last change is listed.
  expect((await readAll(ask)).changes).toHaveLength(1);
});

test('pages continue where the last one ended, over scopes and connections', async () => {
  const { first, second, ask } = await setUp();
  for (const [n, owner] of [first, second, first, second, first].entries())
    await read(owner, fichaRow(`1-${n + 1}-LE26`), n);
  await readDocuments(first, ['Bases.pdf'], 9);
  const all = await readAll(ask, '', 2);
  expect(all.changes.map(({ codigo }) => codigo)).toEqual([
    ...['1-1-LE26', '1-2-LE26', '1-3-LE26', '1-4-LE26', '1-5-LE26'],
    CODIGO,
  ]);
  expect(all.changes.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(all.changes.at(-1)).toMatchObject({ scope: 'documentos' });
});

test('a reading after which another served row replaces that of a connection is reported', async () => {
  const { first, second, ask } = await setUp();
  await read(first, fichaRow(CODIGO, { nombre: 'old' }), 0);
  await read(second, fichaRow(CODIGO, { nombre: 'new' }), 1);
  const begun = await readAll(ask);
  // The portal shows the old tender again, which is nothing new to the first connection.
  await read(first, fichaRow(CODIGO, { nombre: 'old' }), 2);
  const next = await readAll(ask, begun.cursor);
  expect(next.changes).toMatchObject([{ connection_id: first.connectionId, observed_at: at(2) }]);
  await read(first, fichaRow(CODIGO, { nombre: 'old' }), 3);
  expect((await readAll(ask, next.cursor)).changes).toEqual([]);
});

test('connections that each have documents of their own cause no change, however often they read', async () => {
  const { first, second, ask } = await setUp();
  for (const owner of [first, second]) await read(owner, fichaRow(CODIGO), 0);
  // The second connection read before the portal removed a document, and retains what it stored.
  await readDocuments(second, ['Bases.pdf', 'Anexo.pdf'], 1);
  await readDocuments(first, ['Bases.pdf'], 2);
  const { cursor } = await readAll(ask);
  for (const minute of [3, 4, 5]) {
    await readDocuments(second, ['Bases.pdf'], minute);
    await readDocuments(first, ['Bases.pdf'], minute);
  }
  expect((await readAll(ask, cursor)).changes).toEqual([]);
  // If both connections have different copies of a document, a change is reported whenever the other copy becomes the
  // served one.
  await readDocuments(second, ['Bases (2).pdf'], 6);
  await readDocuments(first, ['Bases.pdf'], 7);
  expect((await readAll(ask, cursor)).changes).toMatchObject([
    { connection_id: second.connectionId },
    { connection_id: first.connectionId, observed_at: at(7) },
  ]);
});

test('a deleted connection is reported once, and its changes are gone', async () => {
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

describe('a cursor', () => {
  test('of another organization, of connections, or malformed is refused; one before a restore has expired', async () => {
    const { first, ask } = await setUp();
    await read(first, fichaRow(CODIGO), 0);
    const other = await (await setUp()).ask();
    for (const cursor of [other.body.feed.next_cursor, 'bm9uZQ', 'x'.repeat(HTTP_LIMITS.cursorCharsMax)]) {
      const answer = await ask(`cursor=${cursor}`);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_error']);
    }
    const { body } = await ask();
    const former = ofAnotherTable(body.feed.next_cursor);
    const expired = await ask(`cursor=${former}`);
    expect([expired.status, expired.body.error.code]).toEqual([410, 'cursor_expired']);
  });
});
