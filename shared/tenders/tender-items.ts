/** Converts rows of tenders to their stored form and to the form that the API returns. */

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import { v5 as uuidv5 } from 'uuid';
import * as z from 'zod';
import { type Row, type ScopeDefinition, scopeId } from '#shared/scopes/scope.ts';
import { bytes, item } from '#shared/table/item.ts';
import type { Key } from '#shared/table/keys.ts';
import type * as table from '#shared/table/table.ts';
import { TENDER_LIMITS } from '#shared/tenders/limits.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import type { TenderCopy } from './tender.rules.ts';

const zip = promisify(deflate);
const unzip = promisify(inflate);

/**
 * Returns the id of a row. The id depends on the organization and not on the connection. Lists are merged over all
 * connections, and a row must keep its id if another connection reads it.
 */
export const tenderRowId = (organizationId: OrganizationId, scope: ScopeDefinition, row: Row): string =>
  uuidv5(JSON.stringify([scopeId(scope), ...scope.naturalKey(row)]), organizationId);

/** Returns the id of a document of an offer. `download` expects this id. */
const offerDocumentId = (
  organizationId: OrganizationId,
  scope: ScopeDefinition,
  offer: Row,
  documentoId: unknown,
): string =>
  uuidv5(JSON.stringify([scopeId(scope), 'documento', ...scope.naturalKey(offer), documentoId]), organizationId);

/** Returns the row as the API returns it, without `observed_at` and `raw_ficha`. */
export const servedRow = (organizationId: OrganizationId, scope: ScopeDefinition, row: Row): Row => {
  const full: Row = { ...row, id: tenderRowId(organizationId, scope, row) };
  if (Array.isArray(row.documentos)) {
    const { codigo, oferente_rut } = row;
    full.documentos = row.documentos.map((documento: Row) => ({
      id: offerDocumentId(organizationId, scope, row, documento.documento_id),
      codigo,
      oferente_rut,
      documento_id: documento.documento_id,
      origen: documento.origen,
      nombre: documento.nombre ?? null,
      locator: documento.locator,
    }));
  }
  const fields = Object.keys(scope.listRow.shape).filter((field) => field !== 'observed_at');
  return Object.fromEntries(fields.map((field) => [field, full[field] ?? null]));
};

/** A document named by a returned row. `download` expects its id. */
export interface NamedDocument {
  id: string;
  name: string | null;
  locator: Row;
}

const namedDocument = ({ id, nombre, locator }: Row): NamedDocument => ({
  id: String(id),
  name: typeof nombre === 'string' ? nombre : null,
  locator: locator as Row,
});

/** Returns the documents of a parsed row, with the ids under which the API returns them. */
export const namedDocuments = (organizationId: OrganizationId, scope: ScopeDefinition, row: Row): NamedDocument[] => {
  const served = servedRow(organizationId, scope, row);
  if (Array.isArray(served.documentos)) return served.documentos.map(namedDocument);
  return 'locator' in served ? [namedDocument(served)] : [];
};

export interface StoredTenderRow extends TenderCopy {
  row: Row;
  /**
   * The compressed raw record, or the key of its object in the bucket. Both are null if the scope has no raw record.
   */
  raw: Uint8Array | null;
  rawObject: string | null;
}

const RowHistorySchema = z.object({ createdAt: z.string(), createdRun: z.string(), updatedRun: z.string() });
export interface TenderRowHistory extends z.infer<typeof RowHistorySchema> {}

/**
 * A tender that a connection has stored. Further attributes contain the time at which each scope last read the tender.
 */
export const tenderItem = item(
  'tender',
  z.object({
    codigo: z.string(),
    open: z.boolean().optional(),
    closedAt: z.string().optional(),
    /** Marks of writers whose rows were not announced yet, or may arrive late (`tender-marks.rules.ts`). */
    unannounced: z.array(z.string()),
  }),
  { sets: ['unannounced'] },
);

export const tenderRowItem = item(
  'tender row',
  RowHistorySchema.extend({
    hash: z.string(),
    /** The row as JSON, or compressed if it is long. */
    row: z.string().exactOptional(),
    packed: bytes().exactOptional(),
    raw: bytes().nullable(),
    rawObject: z.string().nullable(),
  }),
  { absent: ['raw', 'rawObject'] },
);

/** Returns the hash of all returned fields except the time of the reading, which changes with every sync. */
export const tenderRowHash = (row: Row, raw: Row | null): string =>
  createHash('sha256')
    .update(JSON.stringify([row, raw]))
    .digest('base64url')
    .slice(0, 22);

export const compress = (value: unknown): Promise<Buffer> => zip(JSON.stringify(value));
export const decompress = async (bytes: Uint8Array): Promise<Row> => JSON.parse((await unzip(bytes)).toString('utf8'));

export interface TenderRowWrite {
  row: Row;
  hash: string;
  history: TenderRowHistory;
  raw: { bytes: Uint8Array } | { object: string } | null;
}

export const packTenderRow = async (key: Key, { row, hash, history, raw }: TenderRowWrite): Promise<table.Item> => {
  const text = JSON.stringify(row);
  return {
    ...key,
    ...tenderRowItem.toItem({
      // An offer may have many documents, and an item holds at most 400 KB.
      ...(text.length > TENDER_LIMITS.tenderRowCharsMax ? { packed: await zip(text) } : { row: text }),
      raw: raw !== null && 'bytes' in raw ? raw.bytes : null,
      rawObject: raw !== null && 'object' in raw ? raw.object : null,
      hash,
      ...history,
    }),
  };
};

/** Returns the connection and the id of the row that a sort key contains. */
export const parseCopyKey = (sk: string): { connectionId: ConnectionId; id: string } => {
  const [, connectionId = '', id = ''] = sk.split('#');
  return { connectionId, id };
};

export const storedTenderRow = async (found: table.Item): Promise<StoredTenderRow> => {
  const { row = 'null', packed, createdAt, raw, rawObject } = tenderRowItem.fromItem(found);
  return {
    ...parseCopyKey(found.sk),
    createdAt,
    row: packed ? await decompress(packed) : JSON.parse(row),
    raw,
    rawObject,
  };
};
