/** Lists below a tender, against a plain model of what several connections have read. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Row } from '#shared/scopes/scope.ts';
import {
  at,
  documentoRow,
  list,
  NAMES,
  type Name,
  newCodigo,
  newConnection,
  ofertaRow,
  preguntaRow,
  SCOPES,
  useProcurement,
  write,
} from '#test/helpers/procurement.ts';

useProcurement();

/** What a connection read, and when: by plain maps. */
interface Model {
  rows: Map<string, Map<string, { row: Row; createdAt: string }>>;
  reads: Map<string, string>;
}

const keyOf = (name: Name, row: Row): string => JSON.stringify(SCOPES[name].scope.naturalKey(row));

const expected = ({ rows, reads }: Model) => {
  const connections = [...reads.keys()].sort((a, b) => (reads.get(a)! < reads.get(b)! ? 1 : -1));
  const all = new Set(connections.flatMap((id) => [...(rows.get(id)?.keys() ?? [])]));
  return [...all].map((key) => {
    const copies = connections.flatMap((id) => rows.get(id)?.get(key) ?? []);
    return { key, row: copies[0]!.row, createdAt: copies.map(({ createdAt }) => createdAt).sort()[0]! };
  });
};

const readings = fc.array(
  fc.record({
    connection: fc.nat(2),
    rows: fc.uniqueArray(fc.record({ n: fc.nat(12), text: fc.constantFrom('a', 'b') }), {
      selector: ({ n }) => n,
      maxLength: 9,
    }),
  }),
  { maxLength: 7 },
);

test.each(NAMES)(
  '%s: pages and totals are those of a plain model',
  async (name) => {
    const make = (codigo: string, n: number, text: string): Row => {
      if (name === 'documentos') return documentoRow(codigo, n, { descripcion: text });
      if (name === 'ofertas') return { ...ofertaRow(codigo, n), estado: text };
      return { ...preguntaRow(codigo, n, n % 4 === 0 ? null : String(n)), respuesta: text };
    };
    await fc.assert(
      fc.asyncProperty(readings, fc.integer({ min: 1, max: 5 }), async (history, limit) => {
        const codigo = newCodigo();
        const owners = [newConnection(), newConnection(), newConnection()];
        const model: Model = { rows: new Map(), reads: new Map() };
        for (const [minute, { connection, rows }] of history.entries()) {
          const owner = owners[connection]!;
          const read = rows.map(({ n, text }) => make(codigo, n, text));
          await write(owner, codigo, name, read, minute);
          const known = model.rows.get(owner.connectionId) ?? new Map();
          for (const row of read)
            known.set(keyOf(name, row), { row, createdAt: known.get(keyOf(name, row))?.createdAt ?? at(minute) });
          model.rows.set(owner.connectionId, known);
          model.reads.set(owner.connectionId, at(minute));
        }
        if (history.length === 0) {
          expect((await list(name, codigo)).status).toBe(404);
          return;
        }
        const wanted = expected(model);
        const served: Row[] = [];
        for (let offset = 0; ; offset += limit) {
          const { data, pagination } = (await list(name, codigo, `limit=${limit}&offset=${offset}`)).body;
          served.push(...data);
          expect(pagination).toEqual({
            total: wanted.length,
            limit,
            offset,
            has_more: offset + data.length < wanted.length,
          });
          if (!pagination.has_more) break;
        }
        expect(served).toHaveLength(wanted.length);
        const sortedKeys = served.map((row) => keyOf(name, row));
        expect(new Set(sortedKeys)).toEqual(new Set(wanted.map(({ key }) => key)));
        for (const row of served) {
          const { row: source } = wanted.find(({ key }) => key === keyOf(name, row))!;
          if (name !== 'ofertas') expect(row).toEqual({ id: row.id, ...source });
          else expect(row).toMatchObject({ estado: source.estado, nombre_oferta: source.nombre_oferta });
        }
        if (name === 'preguntas') {
          const numeros = served.map(({ numero }) => (numero === null ? Number.POSITIVE_INFINITY : Number(numero)));
          expect(numeros).toEqual(numeros.toSorted((a, b) => a - b));
        } else {
          const created = sortedKeys.map((key) => wanted.find((each) => each.key === key)!.createdAt);
          expect(created).toEqual(created.toSorted().reverse());
        }
      }),
      { numRuns: 40 },
    );
  },
  60_000,
);
