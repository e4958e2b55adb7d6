/** What is served of tenders that several connections of the organization read. */
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { procurementDocumentos } from '#shared/scopes/procurement-documentos.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { writeTender } from '#shared/tenders/tender.store.ts';
import { findTenderChanges } from '#shared/tenders/tender-changes.store.ts';
import { findFile, findOwnFile, storeFile } from '#shared/tenders/tender-file.store.ts';
import { deleteTenders, openTenders } from '#shared/tenders/tender-purge.store.ts';
import { callersOf } from '#test/helpers/callers.ts';
import {
  at,
  documentoRow,
  fetchFile,
  ficha,
  fichaRow,
  list,
  NAMES,
  type Name,
  newCodigo,
  newConnection,
  OURS,
  objects,
  ofertaRow,
  preguntaRow,
  theCallers,
  useProcurement,
  write,
  writeFicha,
} from '#test/helpers/procurement.ts';
import { tableText } from '#test/helpers/table-text.ts';

useProcurement();

describe('a tender', () => {
  test('has exactly the fields of the description', async () => {
    const [owner, codigo] = [newConnection(), newCodigo()];
    await writeFicha(owner, codigo, fichaRow(codigo), { CodigoExterno: codigo, Items: { Listado: [1] } });
    const answer = await ficha(codigo);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5/),
        ...fichaRow(codigo),
        observed_at: at(0),
        raw_ficha: { CodigoExterno: codigo, Items: { Listado: [1] } },
      },
    });
    expect((await ficha(codigo.toLowerCase())).text).toBe(answer.text);
  });

  test('is that of the connection that read it last, under one id', async () => {
    const [one, other, codigo] = [newConnection(), newConnection(), newCodigo()];
    await writeFicha(one, codigo, fichaRow(codigo, { estado: 'publicada' }), { from: 1 }, 5);
    const first = (await ficha(codigo)).body.data;
    await writeFicha(other, codigo, fichaRow(codigo, { estado: 'cerrada' }), { from: 2 }, 3);
    expect((await ficha(codigo)).body.data).toEqual(first);
    await writeFicha(other, codigo, fichaRow(codigo, { estado: 'cerrada' }), { from: 2 }, 9);
    expect((await ficha(codigo)).body.data).toEqual({
      ...first,
      estado: 'cerrada',
      observed_at: at(9),
      raw_ficha: { from: 2 },
    });
    await writeFicha(one, codigo, fichaRow(codigo, { estado: 'publicada' }), { from: 1 }, 4);
    expect((await ficha(codigo)).body.data.observed_at).toBe(at(9));
  });

  test('read again without news counts nothing and moves only the time', async () => {
    const [owner, codigo] = [newConnection(), newCodigo()];
    expect(await writeFicha(owner, codigo, fichaRow(codigo), {}, 1)).toEqual({ found: 1, created: 1, updated: 0 });
    expect(await writeFicha(owner, codigo, fichaRow(codigo), {}, 2)).toEqual({ found: 1, created: 0, updated: 0 });
    const changed = fichaRow(codigo, { nombre: 'Otro' });
    expect(await writeFicha(owner, codigo, changed, {}, 3)).toEqual({ found: 1, created: 0, updated: 1 });
    expect((await ficha(codigo)).body.data).toMatchObject({ nombre: 'Otro', observed_at: at(3) });
  });

  test('with a record too big for the table has it in the bucket', async () => {
    const [owner, codigo] = [newConnection(), newCodigo()];
    const raw = { noise: randomBytes(300 * 1024).toString('base64') };
    await writeFicha(owner, codigo, fichaRow(codigo), raw);
    expect([...objects.keys()].filter((key) => key.startsWith(`${OURS}/${owner.connectionId}/fichas/`))).toHaveLength(
      1,
    );
    expect((await ficha(codigo)).body.data.raw_ficha).toEqual(raw);
    expect(await tableText()).not.toContain(raw.noise.slice(0, 64));
  });
});

describe('unknown tenders', () => {
  test.each([
    '1-1-LE99',
    ' ',
    '..',
    '%2e%2e',
    'MP#x',
    '990101-1-LE25#',
    '990101\u00001',
    "' OR 1=1",
    '🦊',
    'ı',
    'ß'.repeat(20),
    'X'.repeat(10_000),
    '\ufffd',
  ])('%j: 404', async (codigo) => {
    for (const answer of [await ficha(codigo), ...(await Promise.all(NAMES.map((name) => list(name, codigo))))])
      expect([answer.status, answer.body.error.code]).toEqual([404, 'licitacion_not_found']);
  });

  test('of another organization: as unknown', async () => {
    const [owner, codigo] = [newConnection(), newCodigo()];
    await writeFicha(owner, codigo, fichaRow(codigo), {});
    await write(owner, codigo, 'documentos', [documentoRow(codigo, 1)]);
    const { key } = await callersOf('22222222-2222-4222-8222-222222222222');
    expect((await ficha(codigo, key)).text).toBe((await ficha('1-1-LE99')).text);
    expect((await list('documentos', codigo, '', key)).status).toBe(404);
  });

  test('known only by one scope: lists are empty, there is no record', async () => {
    const [owner, codigo] = [newConnection(), newCodigo()];
    await write(owner, codigo, 'ofertas', []);
    for (const name of NAMES) {
      const answer = await list(name, codigo);
      expect([answer.status, answer.body]).toEqual([
        200,
        { data: [], pagination: { total: 0, limit: 50, offset: 0, has_more: false } },
      ]);
    }
    expect((await ficha(codigo)).status).toBe(404);
  });

  test('whose first reading was cut off: not served in part', async () => {
    const [owner, codigo] = [newConnection(), newCodigo()];
    const rows = Array.from({ length: 60 }, (_, n) => documentoRow(codigo, n));
    let calls = 0;
    const dies = () => {
      if (++calls === 3) throw new Error('the worker dies');
    };
    const reading = { rows: rows.map((row) => ({ row })), observedAt: at(0), runId: 'r1' };
    await expect(
      writeTender({ ...owner, codigo }, procurementDocumentos, reading, { checkLease: dies }),
    ).rejects.toThrow();
    expect((await list('documentos', codigo)).status).toBe(404);
    const { counts } = await writeTender({ ...owner, codigo }, procurementDocumentos, reading);
    expect(counts).toEqual({ found: 60, created: 60, updated: 0 });
    expect((await list('documentos', codigo)).body.pagination.total).toBe(60);
  });
});

test('a deleted copy leaves no file behind, at any death of the worker', async () => {
  const [owner, codigo] = [newConnection(), newCodigo()];
  const locator = { shown: '["Bases 1.pdf","Anexo","2026-11-06"]' };
  const [right, copy] = [documentoRow(codigo, 1, { locator }), documentoRow(codigo, 2, { locator, nombre: null })];
  await write(owner, codigo, 'documentos', [right, copy]);
  const rows: Row[] = (await list('documentos', codigo)).body.data;
  const id = String(rows.find(({ nombre }) => nombre === null)!.id);
  await storeFile(owner, id, { name: null, body: Buffer.alloc(1), bytes: 1, proof: 'form' });
  const whole = { rows: [{ row: right }], observedAt: at(1), runId: randomUUID(), isWhole: true };
  const { beside } = await writeTender({ ...owner, codigo }, procurementDocumentos, whole);
  expect(beside.copies).toBe(1);
  // No item refers to the copy any more.
  expect(await findOwnFile(owner, id)).toBeUndefined();
});

describe('lists', () => {
  test('have exactly the fields of the description', async () => {
    const [owner, codigo] = [newConnection(), newCodigo()];
    await write(owner, codigo, 'documentos', [documentoRow(codigo, 1)]);
    await write(owner, codigo, 'preguntas', [preguntaRow(codigo, 7, '1')]);
    await write(owner, codigo, 'ofertas', [ofertaRow(codigo, 1)]);
    const id = expect.stringMatching(/^[0-9a-f]{8}-/);
    const first = async (name: Name) => (await list(name, codigo)).body.data[0];
    expect(await first('documentos')).toEqual({ id, ...documentoRow(codigo, 1) });
    expect(await first('preguntas')).toEqual({ id, ...preguntaRow(codigo, 7, '1') });
    const oferta = ofertaRow(codigo, 1);
    expect(await first('ofertas')).toEqual({
      id,
      ...oferta,
      documentos: (oferta.documentos as Row[]).map((each) => ({ id, codigo, oferente_rut: '76192083-9', ...each })),
    });
  });

  test('an offer with hundreds of documents is one row', async () => {
    const [owner, codigo] = [newConnection(), newCodigo()];
    await write(owner, codigo, 'ofertas', [ofertaRow(codigo, 1, 900)]);
    const [oferta] = (await list('ofertas', codigo)).body.data;
    expect(new Set(oferta.documentos.map(({ id }: Row) => id)).size).toBe(900);
  });

  test.each([
    ['limit=0', 'limit must be between 1 and 200'],
    ['limit=201', 'limit must be between 1 and 200'],
    ['offset=-1', 'offset'],
    ['period=2026-11', 'period is not a known query parameter'],
    ['limit=1&limit=2', 'limit must be given once'],
  ])('?%s: 400, also for an unknown tender', async (query, message) => {
    for (const name of NAMES) {
      const answer = await list(name, '1-1-LE99', query);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_error']);
      expect(answer.body.error.message).toContain(message);
    }
  });

  test('questions by number, those without one last', async () => {
    const [owner, codigo] = [newConnection(), newCodigo()];
    const numeros = ['10', '9', null, '1', 'x', '2'];
    await write(
      owner,
      codigo,
      'preguntas',
      numeros.map((numero, n) => preguntaRow(codigo, n, numero)),
    );
    const served = (await list('preguntas', codigo)).body.data.map(({ numero }: Row) => numero);
    expect(served.slice(0, 4)).toEqual(['1', '2', '9', '10']);
    expect(new Set(served.slice(4))).toEqual(new Set([null, 'x']));
  });
});

test('the purge of one connection leaves what others read', async () => {
  const [one, other, shared, own] = [newConnection(), newConnection(), newCodigo(), newCodigo()];
  for (const owner of [one, other]) {
    await writeFicha(owner, shared, fichaRow(shared, { nombre: owner.connectionId }), {}, owner === one ? 9 : 1);
    await write(owner, shared, 'documentos', [documentoRow(shared, 1), documentoRow(shared, owner === one ? 2 : 3)]);
  }
  await writeFicha(one, own, fichaRow(own), { noise: randomBytes(300 * 1024).toString('base64') }, 1, false);
  const [{ id }] = (await list('documentos', shared)).body.data;
  for (const owner of [one, other])
    await storeFile(owner, id, { name: 'a', body: Buffer.from('a'), bytes: 1, proof: 'form' });
  expect(await openTenders(one)).toEqual([shared]);
  expect((await ficha(shared)).body.data.nombre).toBe(one.connectionId);

  let steps = 0;
  const hasTime = () => ++steps % 2 === 0;
  for (let tries = 0; tries < 50 && !(await deleteTenders(one, hasTime)); tries++);
  expect(await deleteTenders(one, () => true)).toBe(true);

  expect((await ficha(shared)).body.data.nombre).toBe(other.connectionId);
  expect((await list('documentos', shared)).body.pagination.total).toBe(2);
  expect((await ficha(own)).status).toBe(404);
  expect((await findFile(OURS, id))?.object).toContain(other.connectionId);
  expect(await openTenders(one)).toEqual([]);
  // Readers of changes are informed once, however often the purge was resumed.
  const told = await findTenderChanges(OURS, 0, 1_000);
  const ofDeleted = told.filter(({ entry }) => entry.connectionId === one.connectionId);
  expect(ofDeleted.map(({ entry }) => entry.codigo)).toEqual([null]);
  await table.remove(keys.tenderChanges(OURS).entry(ofDeleted[0]!.n));
  expect(await tableText()).not.toContain(one.connectionId);
  expect([...objects.keys()].filter((key) => key.includes(one.connectionId))).toEqual([]);
});

test('sessions and access tokens may not read tenders', async () => {
  const [owner, codigo] = [newConnection(), newCodigo()];
  await writeFicha(owner, codigo, fichaRow(codigo), {});
  for (const who of [theCallers().session, theCallers()['access-token']]) {
    const answers = await Promise.all([
      ficha(codigo, who),
      fetchFile(randomUUID(), who),
      ...NAMES.map((name) => list(name, codigo, '', who)),
    ]);
    for (const answer of answers) expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden']);
  }
});
