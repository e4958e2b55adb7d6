/** Lists below a tender by the plainest means: maps of what several connections have read, and when. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Row } from '#shared/scopes/scope.ts';
import type { Credential } from './callers.ts';
import {
  at,
  documentoRow,
  list,
  type Name,
  newCodigo,
  newConnection,
  ofertaRow,
  preguntaRow,
  SCOPES,
  write,
} from './procurement.ts';

interface Model {
  rows: Map<string, Map<string, { row: Row; createdAt: string }>>;
  reads: Map<string, string>;
}

interface Expected {
  key: string;
  row: Row;
  createdAt: string;
}

const keyOf = (name: Name, row: Row): string => JSON.stringify(SCOPES[name].scope.naturalKey(row));

const rowOf = (name: Name, codigo: string, n: number, text: string): Row => {
  if (name === 'documentos') return documentoRow(codigo, n, { descripcion: text });
  if (name === 'ofertas') return { ...ofertaRow(codigo, n), estado: text };
  return { ...preguntaRow(codigo, n, n % 4 === 0 ? null : String(n)), respuesta: text };
};

/** The newest reading of a row is served; the first reading by any connection created it. */
const expectedOf = ({ rows, reads }: Model): Expected[] => {
  const connections = [...reads.keys()].sort((a, b) => (reads.get(a)! < reads.get(b)! ? 1 : -1));
  const all = new Set(connections.flatMap((id) => [...(rows.get(id)?.keys() ?? [])]));
  return [...all].map((key) => {
    const copies = connections.flatMap((id) => rows.get(id)?.get(key) ?? []);
    return { key, row: copies[0]!.row, createdAt: copies.map(({ createdAt }) => createdAt).sort()[0]! };
  });
};

/** Readings of one tender by three connections, one after the other. */
export const readings = fc.array(
  fc.record({
    connection: fc.nat(2),
    rows: fc.uniqueArray(fc.record({ n: fc.nat(12), text: fc.constantFrom('a', 'b') }), {
      selector: ({ n }) => n,
      maxLength: 9,
    }),
  }),
  { maxLength: 7 },
);

type Readings = typeof readings extends fc.Arbitrary<infer T> ? T : never;

export interface Told {
  codigo: string;
  /** No connection has read the tender. */
  isUnknown: boolean;
  expected: Expected[];
}

export const tell = async (name: Name, history: Readings): Promise<Told> => {
  const codigo = newCodigo();
  const owners = [newConnection(), newConnection(), newConnection()];
  const model: Model = { rows: new Map(), reads: new Map() };
  for (const [minute, { connection, rows }] of history.entries()) {
    const owner = owners[connection]!;
    const read = rows.map(({ n, text }) => rowOf(name, codigo, n, text));
    await write(owner, codigo, name, read, minute);
    const known = model.rows.get(owner.connectionId) ?? new Map();
    for (const row of read)
      known.set(keyOf(name, row), { row, createdAt: known.get(keyOf(name, row))?.createdAt ?? at(minute) });
    model.rows.set(owner.connectionId, known);
    model.reads.set(owner.connectionId, at(minute));
  }
  return { codigo, isUnknown: history.length === 0, expected: expectedOf(model) };
};

/** Checks one page and its total. Returns the rows of the page. */
export const judgePage = async (
  name: Name,
  { codigo, expected }: Told,
  { limit, offset }: { limit: number; offset: number },
  who?: Credential,
): Promise<Row[]> => {
  const { body } = await list(name, codigo, `limit=${limit}&offset=${offset}`, who);
  const total = expected.length;
  const count = Math.max(0, Math.min(limit, total - offset));
  expect(body.data).toHaveLength(count);
  expect(body.pagination).toEqual({ total, limit, offset, has_more: offset + count < total });
  return body.data;
};

/** Checks all rows of a list: each once, with the content last read, in the order of decisions.md §7. */
export const judgeWhole = (name: Name, { expected }: Told, served: readonly Row[]): void => {
  const keys = served.map((row) => keyOf(name, row));
  expect(keys.toSorted()).toEqual(expected.map(({ key }) => key).toSorted());
  const of = (key: string): Expected => expected.find((each) => each.key === key)!;
  for (const row of served) {
    const { row: source } = of(keyOf(name, row));
    if (name !== 'ofertas') expect(row).toEqual({ id: row.id, ...source });
    else expect(row).toMatchObject({ estado: source.estado, nombre_oferta: source.nombre_oferta });
  }
  if (name === 'preguntas') {
    const numeros = served.map(({ numero }) => (numero === null ? Number.POSITIVE_INFINITY : Number(numero)));
    expect(numeros).toEqual(numeros.toSorted((a, b) => a - b));
  } else {
    const created = keys.map((key) => of(key).createdAt);
    expect(created).toEqual(created.toSorted().reverse());
  }
};
