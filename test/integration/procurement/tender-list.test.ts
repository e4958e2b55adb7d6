/**
 * The list of tenders: each once, as last read, ordered, counted and filtered, for writes of several connections in any
 * order.
 */
import { randomUUID } from 'node:crypto';
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { procurementLicitaciones } from '#shared/scopes/procurement-licitaciones.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { TENDER_LIMITS } from '#shared/tenders/limits.ts';
import { writeTender } from '#shared/tenders/tender.store.ts';
import { listTender } from '#shared/tenders/tender-list.store.ts';
import { deleteTenders } from '#shared/tenders/tender-purge.store.ts';
import { santiagoDay } from '#shared/values/dates.ts';
import { callersOf } from '#test/helpers/callers.ts';
import { runs } from '#test/helpers/effort.ts';
import { at, ficha, fichaRow, tenders, useProcurement } from '#test/helpers/procurement.ts';

useProcurement();

const anOrganization = async () => {
  const organizationId = randomUUID();
  return { organizationId, key: (await callersOf(organizationId)).key };
};

interface Owner {
  organizationId: string;
  connectionId: string;
}

const read = (owner: Owner, row: Row, minute: number) =>
  writeTender({ ...owner, codigo: String(row.codigo) }, procurementLicitaciones, {
    rows: [{ row, raw: { a: 1 } }],
    observedAt: at(minute),
    runId: randomUUID(),
  });

const forget = (owner: Owner) => deleteTenders(owner, () => true);

const codes = ({ body }: { body: { data: Row[] } }): unknown[] => body.data.map(({ codigo }) => codigo);

describe('one organization with a few tenders', () => {
  const setUp = async () => {
    const { organizationId, key } = await anOrganization();
    const owner = { organizationId, connectionId: randomUUID() };
    const rows = [
      fichaRow('1-1-LE26', { nombre: 'Arriendo de bodegas', fecha_publicacion: '2026-10-05T12:00:00.000Z' }),
      fichaRow('1-2-LE26', { nombre: 'Aseo', fecha_publicacion: '2026-10-05T12:00:00.000Z', estado: 'cerrada' }),
      // 23:30 of October 5 in Santiago.
      fichaRow('1-3-LE26', { organismo_razon_social: 'Ñuñoa', fecha_publicacion: '2026-10-06T02:30:00.000Z' }),
      fichaRow('1-4-LE26', { organismo_rut: '61606402-2', fecha_publicacion: '2026-09-30T12:00:00.000Z' }),
      fichaRow('1-5-LE26', { estado: 'una que nadie conoce' }),
    ];
    for (const [minute, row] of rows.entries()) await read(owner, row, minute);
    return { owner, key, ask: (query = '') => tenders(query, key) };
  };

  test('newest first, ties by code, those without a date last; the row is that of its own answer', async () => {
    const { ask, key } = await setUp();
    const answer = await ask();
    expect(codes(answer)).toEqual(['1-3-LE26', '1-2-LE26', '1-1-LE26', '1-4-LE26', '1-5-LE26']);
    expect(answer.body.pagination).toEqual({ total: 5, limit: 50, offset: 0, has_more: false });
    for (const row of answer.body.data) {
      const { raw_ficha, ...own } = (await ficha(row.codigo, key)).body.data;
      expect(raw_ficha).toEqual({ a: 1 });
      expect(row).toEqual(own);
    }
  });

  test.each([
    ['estado=cerrada', ['1-2-LE26']],
    ['estado=adjudicada', []],
    ['from=2026-10-05', ['1-3-LE26', '1-2-LE26', '1-1-LE26']],
    ['from=2026-10-06', []],
    ['to=2026-10-04', ['1-4-LE26']],
    ['from=2026-10-05&to=2026-10-05&estado=publicada', ['1-3-LE26', '1-1-LE26']],
    ['q=BODEGAS', ['1-3-LE26', '1-1-LE26', '1-4-LE26', '1-5-LE26']],
    ['q=nunoa', ['1-3-LE26']],
    ['q=61.606.402-2', ['1-4-LE26']],
    ['q=arriendo&estado=publicada&from=2026-10-01', ['1-3-LE26', '1-1-LE26']],
    ['q=nothing', []],
  ])('%s', async (query, expected) => {
    const { ask } = await setUp();
    const answer = await ask(query);
    expect(codes(answer)).toEqual(expected);
    expect(answer.body.pagination.total).toBe(expected.length);
  });

  test.each(['estado=abierta', 'from=2026-10-06&to=2026-10-05', 'q=', 'period=2026-10', 'limit=0'])(
    '%s is refused',
    async (query) => {
      const { ask } = await setUp();
      expect((await ask(query)).body.error.code).toBe('validation_error');
    },
  );

  test('another organization sees none of them, and a session may not ask', async () => {
    await setUp();
    const other = await anOrganization();
    expect((await tenders('', other.key)).body).toEqual({
      data: [],
      pagination: { total: 0, limit: 50, offset: 0, has_more: false },
    });
    expect((await tenders('', (await callersOf(other.organizationId)).session)).status).toBe(403);
  });

  test('a purge deletes what only its connection has read', async () => {
    const { owner, ask } = await setUp();
    const second = { ...owner, connectionId: randomUUID() };
    await read(second, fichaRow('1-1-LE26', { estado: 'desierta' }), 20);
    expect((await ask('estado=desierta')).body.pagination.total).toBe(1);
    await forget(second);
    expect((await ask('estado=desierta')).body.pagination.total).toBe(0);
    expect((await ask()).body.pagination.total).toBe(5);
    await forget(owner);
    expect((await ask()).body).toMatchObject({ data: [], pagination: { total: 0 } });
  });

  test.each([
    ['cut within a pair', `${'a'.repeat(TENDER_LIMITS.tenderSearchCharsMax - 1)}\u{1f600}`],
    ['a lone half as it came', 'Aseo \ud83d'],
  ])('a name that is %s is stored as text that is well-formed', async (_, nombre) => {
    const { owner, ask } = await setUp();
    const spy = vi.spyOn(DynamoDBDocumentClient.prototype, 'send');
    await read(owner, fichaRow('1-9-LE26', { nombre, fecha_publicacion: '2026-10-07T12:00:00.000Z' }), 40);
    const sent = spy.mock.calls
      .map(([command]) => command)
      .filter((command) => command instanceof TransactWriteCommand);
    spy.mockRestore();
    const texts = sent.flatMap(({ input }) => input.TransactItems!.flatMap(({ Put }) => Put?.Item?.text ?? []));
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expect(text.isWellFormed()).toBe(true);
    expect(codes(await ask('from=2026-10-07'))).toEqual(['1-9-LE26']);
  });

  test.each(['', 'q=arriendo', 'estado=publicada&from=2026-10-01'])(
    'a missing entry that the counts include: %s is an error, not a shorter page',
    async (query) => {
      const { owner, key } = await setUp();
      const when = { day: '2026-10-05', instant: '2026-10-05T12:00:00.000Z' };
      await table.remove(keys.tenderEntry(owner.organizationId, 'publicada', when, '1-1-LE26'));
      expect((await tenders(query, key)).status).toBe(500);
    },
  );

  test('a filter by state reads only the entries of that state', async () => {
    const { ask } = await setUp();
    const spy = vi.spyOn(DynamoDBDocumentClient.prototype, 'send');
    await ask('estado=cerrada');
    const answers = await Promise.all(spy.mock.results.map(({ value }) => value as Promise<{ Items?: Row[] }>));
    spy.mockRestore();
    const entries = answers.flatMap(({ Items = [] }) => Items.filter(({ sk }) => String(sk).startsWith('ENTRY#')));
    expect(entries).toHaveLength(1);
  });

  test('a reading that comes late changes nothing', async () => {
    const { owner, ask } = await setUp();
    const second = { ...owner, connectionId: randomUUID() };
    await read(second, fichaRow('1-2-LE26', { estado: 'revocada' }), 30);
    await listTender({ ...owner, codigo: '1-2-LE26' }, procurementLicitaciones, { digest: '', at: at(25) });
    expect(codes(await ask('estado=revocada'))).toEqual(['1-2-LE26']);
    expect((await ask('estado=cerrada')).body.pagination.total).toBe(0);
  });
});

const STATES = ['publicada', 'cerrada', 'adjudicada', null, 'rara'];
const INSTANTS = [null, '2026-10-05T12:00:00.000Z', '2026-10-05T12:00:01.000Z', '2026-11-01T02:59:00.000Z'];

const acts = fc.array(
  fc.record({
    connection: fc.nat(2),
    tender: fc.nat(4),
    isForgotten: fc.nat(9).map((n) => n === 0),
    estado: fc.constantFrom(...STATES),
    fecha_publicacion: fc.constantFrom(...INSTANTS),
  }),
  { maxLength: 14 },
);

interface Copy {
  row: Row;
  minute: number;
}

/** The expected list, computed in the plainest way. */
const expectedList = (model: ReadonlyMap<string, ReadonlyMap<string, Copy>>): Row[] => {
  const newest = new Map<string, Copy>();
  for (const copies of model.values())
    for (const [codigo, copy] of copies) if (copy.minute > (newest.get(codigo)?.minute ?? -1)) newest.set(codigo, copy);
  const order = ({ fecha_publicacion, codigo }: Row): string => `${fecha_publicacion ?? '0'} ${codigo}`;
  return [...newest.values()].map(({ row }) => row).sort((a, b) => (order(a) < order(b) ? 1 : -1));
};

test('any readings of three connections, parallel or one after the other, with any of them deleted', async () => {
  const beside = fc.boolean();
  await fc.assert(
    fc.asyncProperty(acts, beside, fc.integer({ min: 1, max: 4 }), async (history, isBeside, limit) => {
      const { organizationId, key } = await anOrganization();
      const owners = [0, 1, 2].map(() => ({ organizationId, connectionId: randomUUID() }));
      const model = new Map<string, Map<string, Copy>>();
      let running: Promise<unknown>[] = [];
      const busy = new Set<number>();
      for (const [minute, { connection, tender, isForgotten, estado, fecha_publicacion }] of history.entries()) {
        // The work of one connection is sequential, as under its lease.
        if (!isBeside || busy.has(connection)) {
          await Promise.all(running);
          running = [];
          busy.clear();
        }
        busy.add(connection);
        const owner = owners[connection]!;
        const own = model.get(owner.connectionId) ?? new Map<string, Copy>();
        if (isForgotten) {
          running.push(forget(owner));
          own.clear();
        } else {
          const row = fichaRow(`9-${tender}-LE26`, { estado, fecha_publicacion });
          running.push(read(owner, row, minute));
          own.set(String(row.codigo), { row, minute });
        }
        model.set(owner.connectionId, own);
      }
      await Promise.all(running);
      const expected = expectedList(model);
      const seen: Row[] = [];
      for (let offset = 0; offset === 0 || seen.length < expected.length; offset += limit) {
        const { body } = await tenders(`limit=${limit}&offset=${offset}`, key);
        expect(body.pagination.total).toBe(expected.length);
        expect(body.data).toHaveLength(Math.max(0, Math.min(limit, expected.length - offset)));
        seen.push(...body.data);
      }
      expect(seen.map(({ codigo, estado, fecha_publicacion }) => ({ codigo, estado, fecha_publicacion }))).toEqual(
        expected.map(({ codigo, estado, fecha_publicacion }) => ({ codigo, estado, fecha_publicacion })),
      );
      for (const state of ['publicada', 'cerrada', 'adjudicada']) {
        const { body } = await tenders(`estado=${state}&from=2026-10-05&to=2026-10-31`, key);
        const wanted = expected.filter(
          (row) =>
            row.estado === state &&
            row.fecha_publicacion !== null &&
            santiagoDay(Date.parse(String(row.fecha_publicacion))) <= '2026-10-31',
        );
        expect(body.pagination.total).toBe(wanted.length);
        expect(codes({ body })).toEqual(wanted.map(({ codigo }) => codigo));
      }
    }),
    { numRuns: runs(60) },
  );
}, 120_000);
