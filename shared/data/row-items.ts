/**
 * Items of synchronized rows: the row as listed (where the list reads it) and, for scopes with documents, the row in
 * full, which also says where its list row is.
 */
import { promisify } from 'node:util';
import { deflateSync, inflate } from 'node:zlib';
import { v5 as uuidv5 } from 'uuid';
import { contentHash, facetsOf, type IncomingRow, type StoredRow } from '#shared/domain/row-diff.ts';
import { rowSortKey, rowSortKeyParts } from '#shared/domain/row-keys.ts';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import { scopeId } from '#shared/scopes/scope.ts';
import { keys } from './keys.ts';
import type { ScopeAddress } from './page-indexes.ts';
import type * as table from './table.ts';

/** A row as parsed, with everything derived from it that storage needs. */
export interface NewRow extends IncomingRow {
  row: Row;
  raw: Record<string, unknown>;
  rawPayloadId: string;
}

/** Stable over all syncs: the same document at the source is the same row here (decisions.md §5). */
export const rowId = (connectionId: string, scope: ScopeDefinition, row: Row): string =>
  uuidv5(JSON.stringify([scopeId(scope), ...scope.naturalKey(row)]), connectionId);

export const newRow = (
  connectionId: string,
  scope: ScopeDefinition,
  row: Row,
  raw: Record<string, unknown>,
  rawPayloadId: string,
): NewRow => {
  const id = rowId(connectionId, scope, row);
  return {
    id,
    facets: facetsOf(scope.facets, row),
    sortKey: rowSortKey(scope.eventDay(row), scope.eventInstant(row), id),
    hash: contentHash(row, raw),
    row,
    raw,
    rawPayloadId,
  };
};

/** When and by which run a row was made and last changed. */
export interface RowHistory {
  createdAt: string;
  createdRun: string;
  updatedRun: string;
}

const pick = (row: Row, fields: readonly string[]): Row =>
  Object.fromEntries(fields.map((field) => [field, row[field] ?? null]));

export const listItem = (
  address: ScopeAddress,
  scope: ScopeDefinition,
  period: string,
  row: NewRow,
  history: RowHistory,
): table.Item => ({
  pk: keys.rows(address.organizationId, address.connectionId, address.scope, period, row.facets),
  sk: row.sortKey,
  row: JSON.stringify({
    ...pick(row.row, Object.keys(scope.listRow.shape)),
    id: row.id,
    ...('created_at' in scope.listRow.shape ? { created_at: history.createdAt } : {}),
  }),
  hash: row.hash,
  created_run: history.createdRun,
  updated_run: history.updatedRun,
});

export const storedRow = (facets: string, item: table.Item): StoredRow => ({
  id: rowSortKeyParts(item.sk).rowId,
  facets,
  sortKey: item.sk,
  hash: item.hash,
  createdRun: item.created_run,
  updatedRun: item.updated_run,
});

/** The served list row. */
export const listRow = (item: table.Item): Row => JSON.parse(item.row as string);

export interface Place {
  period: string;
  facets: string;
  sortKey: string;
}

const fullKey = (address: ScopeAddress, id: string) =>
  keys.fullRow(address.organizationId, address.connectionId, address.scope, id);

export const fullItem = (address: ScopeAddress, period: string, row: NewRow, history: RowHistory): table.Item => ({
  ...fullKey(address, row.id),
  row: JSON.stringify(row.row),
  raw: deflateSync(JSON.stringify(row.raw), { level: 1 }),
  hash: row.hash,
  period,
  facets: row.facets,
  sort_key: row.sortKey,
  raw_payload_id: row.rawPayloadId,
  created_at: history.createdAt,
  created_run: history.createdRun,
  updated_run: history.updatedRun,
});

export interface StoredFullRow extends RowHistory {
  hash: string;
  id: string;
  place: Place;
  row: Row;
  rawPayloadId: string;
  raw: Uint8Array;
}

export const storedFullRow = (item: table.Item): StoredFullRow => ({
  id: item.sk,
  hash: item.hash,
  place: { period: item.period, facets: item.facets, sortKey: item.sort_key },
  row: JSON.parse(item.row),
  rawPayloadId: item.raw_payload_id,
  raw: item.raw as Uint8Array,
  createdAt: item.created_at,
  createdRun: item.created_run,
  updatedRun: item.updated_run,
});

export const inflateRaw = async (raw: Uint8Array): Promise<Record<string, unknown>> =>
  JSON.parse((await promisify(inflate)(raw)).toString('utf8'));

/** A field that this answer does not carry (undefined, or no key at all) keeps what is stored. */
export const carryOver = (scope: ScopeDefinition, row: Row, before: Row): Row => ({
  ...row,
  ...Object.fromEntries(
    Object.keys(scope.parsed.shape)
      .filter((field) => row[field] === undefined)
      .map((field) => [field, before[field] ?? null]),
  ),
});
