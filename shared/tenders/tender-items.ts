/** Rows of tenders as they lie in the table, and as they are served. */

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
 * Of the organization, not of the connection: lists are served over all its connections, and a row must not change its
 * id because another connection read it last.
 */
export const tenderRowId = (organizationId: OrganizationId, scope: ScopeDefinition, row: Row): string =>
  uuidv5(JSON.stringify([scopeId(scope), ...scope.naturalKey(row)]), organizationId);

/** Of a document of an offer: what `download` takes. */
const offerDocumentId = (
  organizationId: OrganizationId,
  scope: ScopeDefinition,
  offer: Row,
  documentoId: unknown,
): string =>
  uuidv5(JSON.stringify([scopeId(scope), 'documento', ...scope.naturalKey(offer), documentoId]), organizationId);

/** The row as served, but for `observed_at` and `raw_ficha`. */
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

/** A document that a row as served names: its id is what `download` takes. */
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

/** Documents of a row as parsed, under the ids with which they are served. */
export const namedDocuments = (organizationId: OrganizationId, scope: ScopeDefinition, row: Row): NamedDocument[] => {
  const served = servedRow(organizationId, scope, row);
  if (Array.isArray(served.documentos)) return served.documentos.map(namedDocument);
  return 'locator' in served ? [namedDocument(served)] : [];
};

export interface StoredTenderRow extends TenderCopy {
  row: Row;
  /** Compressed; or the key of the object that holds it. Both null where the scope has no raw record. */
  raw: Uint8Array | null;
  rawObject: string | null;
}

const RowHistorySchema = z.object({ createdAt: z.string(), createdRun: z.string(), updatedRun: z.string() });
export interface TenderRowHistory extends z.infer<typeof RowHistorySchema> {}

/** A tender that a connection holds; beside these fields, when each scope read it last. */
export const tenderItem = item(
  'tender',
  z.object({
    codigo: z.string(),
    open: z.boolean().optional(),
    closedAt: z.string().optional(),
    /** Marks of writers whose rows nobody announced yet, or that may come late (`tender-marks.rules.ts`). */
    unannounced: z.array(z.string()),
  }),
  { sets: ['unannounced'] },
);

export const tenderRowItem = item(
  'tender row',
  RowHistorySchema.extend({
    hash: z.string(),
    /** JSON; or compressed, where that is long. */
    row: z.string().exactOptional(),
    packed: bytes().exactOptional(),
    raw: bytes().nullable(),
    rawObject: z.string().nullable(),
  }),
  { absent: ['raw', 'rawObject'] },
);

/** Over everything that is served but the time of the reading, which moves with every sync. */
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
      // An offer may have many documents, and an item holds 400 KB.
      ...(text.length > TENDER_LIMITS.tenderRowCharsMax ? { packed: await zip(text) } : { row: text }),
      raw: raw !== null && 'bytes' in raw ? raw.bytes : null,
      rawObject: raw !== null && 'object' in raw ? raw.object : null,
      hash,
      ...history,
    }),
  };
};

/** Which row, and whose copy of it, lies under a sort key. */
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
