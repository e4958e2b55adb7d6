/** Readings of tenders by two connections of one organization, and a reader of their changes. */
import { randomUUID } from 'node:crypto';
import { contract } from '#functions/api/procurement/list-tender-changes/contract.ts';
import { handler } from '#functions/api/procurement/list-tender-changes/handler.ts';
import { procurementDocumentos } from '#shared/scopes/procurement-documentos.ts';
import { procurementLicitaciones } from '#shared/scopes/procurement-licitaciones.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { writeTender } from '#shared/tenders/tender.store.ts';
import { callersOf } from './callers.ts';
import { call } from './http.ts';
import { at } from './procurement.ts';

export const CODIGO = '1-1-LE26';

export const documentRow: Row = {
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

export interface Owner {
  organizationId: string;
  connectionId: string;
}

/** Two connections of a new organization. */
export const setUp = async () => {
  const organizationId = randomUUID();
  const callers = await callersOf(organizationId);
  const connections = [randomUUID(), randomUUID()].map((connectionId): Owner => ({ organizationId, connectionId }));
  const ask = (query = '') => call(contract, handler, { ...callers.key, query });
  return { first: connections[0]!, second: connections[1]!, ask, callers, organizationId };
};

/** Stores a reading as a worker under the lease with this fence. */
export const read = (owner: Owner, row: Row, minute: number, fence = 0) =>
  writeTender(
    { ...owner, codigo: String(row.codigo) },
    procurementLicitaciones,
    { rows: [{ row, raw: { a: 1 } }], observedAt: at(minute), runId: randomUUID() },
    { fence },
  );

/** Stores one document of the tender per name. */
export const readDocuments = (owner: Owner, names: readonly string[], minute: number) =>
  writeTender({ ...owner, codigo: CODIGO }, procurementDocumentos, {
    rows: names.map((nombre, n) => ({ row: { ...documentRow, documento_id: `d${n + 1}`, nombre } })),
    observedAt: at(minute),
    runId: randomUUID(),
  });

/** Reads pages until no change is left. */
export const readAll = async (ask: (query: string) => ReturnType<typeof call>, cursor = '', limit = 50) => {
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
