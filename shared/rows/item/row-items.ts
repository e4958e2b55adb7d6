/**
 * Items of synchronized rows: the list row, which lists read, and in scopes with documents also the full row, which
 * contains the place of its list row.
 */

import { promisify } from 'node:util';
import { deflateSync, inflate } from 'node:zlib';
import { v5 as uuidv5 } from 'uuid';
import * as z from 'zod';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import { scopeId } from '#shared/scopes/scope.ts';
import { bytes, item } from '#shared/table/item.ts';
import { keys } from '#shared/table/keys.ts';
import { NO_SEQUENCE, toSequence } from '#shared/table/late-writers.ts';
import type * as table from '#shared/table/table.ts';
import { restoreTexts } from '#shared/values/damaged-forms.ts';
import type { ConnectionId } from '#shared/values/ids.ts';
import { searchText } from '#shared/values/search-text.ts';
import { joinFacets } from './facets.ts';
import { walkStep } from './month-walk.rules.ts';
import { contentHash, type IncomingRow, type StoredRow } from './row-diff.rules.ts';
import { rowFacts } from './row-facts.rules.ts';
import { rowSortKey, rowSortKeyParts } from './row-keys.ts';
import type { HeldPeriod } from './scope-address.ts';
import type { Sequenced } from './stamps.rules.ts';
import { packAmounts } from './totals.rules.ts';

/** A parsed row with all derived values that storage needs. */
export interface NewRow extends IncomingRow {
  row: Row;
  /** Child rows; null if this answer does not contain them. */
  childRows: Row[] | null;
  /** The source's row as JSON, which stays unparsed until it is read back. */
  raw: string;
  rawPayloadId: string;
}

/**
 * Returns the id of a row. The id is stable over all syncs: the same document at the source always gives the same row
 * (decisions.md §5).
 */
export const rowId = (connectionId: ConnectionId, scope: ScopeDefinition, row: Row): string =>
  uuidv5(JSON.stringify([scopeId(scope), ...scope.naturalKey(row)]), connectionId);

export const pick = (row: Row, fields: readonly string[]): Row =>
  Object.fromEntries(fields.map((field) => [field, row[field] ?? null]));

const listed = new WeakMap<ScopeDefinition, readonly string[]>();

/**
 * Returns the fields of the list row that come from the parser. They are computed once per scope, because every row
 * needs them.
 */
export const listedFields = (scope: ScopeDefinition): readonly string[] => {
  const known = listed.get(scope);
  if (known) return known;
  const fields = Object.keys(scope.listRow.shape).filter((field) => field in scope.parsed.shape);
  listed.set(scope, fields);
  return fields;
};

/** Returns the text that `q` searches, or null if the scope has no search. */
export const rowSearchText = (scope: ScopeDefinition, row: Row): string | null => {
  if (!scope.search) return null;
  const text = (field: string) => (row[field] ?? null) as string | null;
  const { texts, ruts, exact } = scope.search;
  return searchText(texts.map(text), ruts.map(text), exact === undefined ? undefined : text(exact));
};

/**
 * Returns the hash of a row. In a scope that stores only list rows, the hash covers only the listed fields, because two
 * endpoints may show the same row with different values in the other fields.
 */
export const hashContent = (scope: ScopeDefinition, row: Row, raw: Record<string, unknown>): string =>
  scope.fullRow === null ? contentHash(pick(row, listedFields(scope)), {}) : contentHash(row, raw);

/** A parsed row, the source's record of this row, and the id of the raw answer that contains the record. */
export interface ReadRow {
  row: Row;
  raw: Record<string, unknown>;
  answerId: string;
}

export const newRow = (connectionId: ConnectionId, scope: ScopeDefinition, read: ReadRow): NewRow => {
  const { row: parsed, raw } = read;
  const id = rowId(connectionId, scope, parsed);
  const { [scope.childRows?.field ?? '']: childRows = null, ...row } = parsed;
  return {
    id,
    facets: joinFacets(scope, row),
    sortKey: rowSortKey(scope.eventDay(row), scope.eventInstant(row), id),
    hash: hashContent(scope, parsed, raw),
    searchText: rowSearchText(scope, row),
    statement: scope.statement?.(row) ?? null,
    ...(scope.totals ? { amounts: packAmounts(scope.totals, parsed) } : {}),
    ...(scope.walk ? { step: walkStep(scope.walk, row) } : {}),
    row,
    childRows: childRows as Row[] | null,
    raw: JSON.stringify(raw),
    rawPayloadId: read.answerId,
  };
};

/** When and by which run a row was created and last changed, and the write that created it. */
export interface RowHistory {
  createdAt: string;
  createdRun: string;
  updatedRun: string;
  createdSequence: number;
}

/**
 * Returns the sequence fields of a row or document as stored. If no later write changed the row, the creating sequence
 * is omitted.
 */
export const sequenceFields = ({ sequence, createdSequence }: Sequenced): { n: number; n0?: number } =>
  createdSequence === sequence ? { n: sequence } : { n: sequence, n0: createdSequence };

export const listItem = (
  { address, scope, period, lease }: HeldPeriod,
  row: Pick<NewRow, 'id' | 'facets' | 'sortKey' | 'hash' | 'row' | 'statement'>,
  history: RowHistory,
): table.Item => ({
  pk: keys.rows(address, period, row.facets),
  sk: row.sortKey,
  row: JSON.stringify({
    ...pick(row.row, listedFields(scope)),
    id: row.id,
    ...('created_at' in scope.listRow.shape ? { created_at: history.createdAt } : {}),
  }),
  hash: row.hash,
  created_run: history.createdRun,
  updated_run: history.updatedRun,
  ...sequenceFields({ sequence: toSequence(lease), createdSequence: history.createdSequence }),
  ...(row.statement ? { account: row.statement.account, is_open: row.statement.isOpen } : {}),
});

/** Returns the list row as the API returns it. `syncedAt` is the sync time of the row's period. */
export const listRow = (scope: ScopeDefinition, found: table.Item, syncedAt: string): Row => {
  const row = parseRow(found);
  return scope.derived ? { ...row, ...scope.derived(row, syncedAt) } : row;
};

/** Returns the names of the attributes that a comparison needs. The facts of a row are in its text. */
export const storedAttributes = (scope: ScopeDefinition, hasFacts: boolean): string[] => [
  ...['sk', 'hash', 'created_run', 'updated_run', 'n', 'n0'],
  ...(scope.statement ? ['account', 'is_open'] : []),
  ...(scope.search || scope.walk || (hasFacts && scope.facts) ? ['row'] : []),
];

/**
 * An item that `listItem` wrote. The item is read without a schema, because a month has thousands of such items and a
 * page has dozens (architecture.md §4).
 */
interface ListedItem extends table.Item {
  row: string;
  hash: string;
  created_run: string;
  updated_run: string;
  account: string;
  is_open: boolean;
}

/** @param isCompared false if the caller knows that the row has not changed; then its facts are not read */
export const storedRow = (
  scope: ScopeDefinition,
  facets: string,
  found: table.Item,
  isCompared: (id: string, hash: string) => boolean = () => false,
): StoredRow => {
  const listed = found as ListedItem;
  const { rowId: id } = rowSortKeyParts(listed.sk);
  const facts = isCompared(id, listed.hash) ? scope.facts : undefined;
  const row = scope.search || scope.walk || facts ? parseRow(listed) : {};
  return {
    id,
    facets,
    sortKey: listed.sk,
    hash: listed.hash,
    searchText: scope.search ? rowSearchText(scope, row) : null,
    ...(scope.walk ? { step: walkStep(scope.walk, row) } : {}),
    ...(facts ? { facts: rowFacts(facts, row) } : {}),
    statement: scope.statement ? { account: listed.account, isOpen: listed.is_open } : null,
    createdRun: listed.created_run,
    updatedRun: listed.updated_run,
    ...sequencesOfItem(listed),
  };
};

/** Returns the sequence of the write that put a list row or a document. */
export const sequenceOfItem = ({ n }: table.Item): number => (n as number | undefined) ?? NO_SEQUENCE;

/** Returns the sequences of the last and the first write of a list row or document. */
export const sequencesOfItem = (found: table.Item): Sequenced => {
  const sequence = sequenceOfItem(found);
  return { sequence, createdSequence: (found.n0 as number | undefined) ?? sequence };
};

/** Returns the row that a list item or a document contains. */
export const parseRow = ({ row }: table.Item): Row => JSON.parse(row as string);

/**
 * Compressor settings for texts of about 1 KB. With default settings, the compressor needs more time to set up its
 * tables than to compress.
 */
const SMALL_TEXT = { level: 1, windowBits: 12, memLevel: 5, chunkSize: 2048 };

const PlaceSchema = z.object({ period: z.string(), facets: z.string(), sortKey: z.string() });
export interface RowLocation extends z.infer<typeof PlaceSchema> {}

/** A full row and the place of its list row. */
const DocumentSchema = PlaceSchema.extend({
  row: z.string(),
  raw: bytes(),
  hash: z.string(),
  rawPayloadId: z.string(),
  createdAt: z.string(),
  createdRun: z.string(),
  updatedRun: z.string(),
  /** Sequence of the last write. Absent in documents that were written before sequences existed. */
  sequence: z.number().optional(),
  /** Sequence of the first write. Absent if the first write is also the last. */
  createdSequence: z.number().optional(),
  /** Number of child rows. */
  childCount: z.number().optional(),
});

export const documentItem = item('document', DocumentSchema, {
  names: { sequence: 'n', createdSequence: 'n0', childCount: 'parts' },
});
/** Reads only the place, hash and sequence of a document. */
export const locatorItem = item('locator', PlaceSchema.extend({ hash: z.string() }));

export const fullItem = (
  { address, period, lease }: HeldPeriod,
  row: NewRow,
  history: RowHistory,
  childCount: number,
): table.Item => ({
  ...keys.fullRow(address, row.id),
  ...documentItem.toItem({
    row: JSON.stringify(row.row),
    raw: deflateSync(row.raw, SMALL_TEXT),
    hash: row.hash,
    period,
    facets: row.facets,
    sortKey: row.sortKey,
    rawPayloadId: row.rawPayloadId,
    createdAt: history.createdAt,
    createdRun: history.createdRun,
    updatedRun: history.updatedRun,
    sequence: toSequence(lease),
    createdSequence: history.createdSequence === toSequence(lease) ? undefined : history.createdSequence,
    childCount: childCount || undefined,
  }),
});

export interface StoredFullRow extends RowHistory {
  hash: string;
  id: string;
  place: RowLocation;
  row: Row;
  rawPayloadId: string;
  raw: Uint8Array;
  /** Number of child rows. */
  childCount: number;
}

export const storedFullRow = (found: table.Item): StoredFullRow => {
  const { row, period, facets, sortKey, childCount = 0, ...document } = documentItem.fromItem(found);
  const { createdSequence } = sequencesOfItem(found);
  return {
    ...document,
    id: found.sk,
    place: { period, facets, sortKey },
    row: JSON.parse(row),
    childCount,
    createdSequence,
  };
};

export const inflateRaw = async (raw: Uint8Array): Promise<Record<string, unknown>> =>
  JSON.parse((await promisify(inflate)(raw)).toString('utf8'));

/** Returns the stored fields that this answer does not contain. A parsed field that no row shows is not stored. */
export const missingFields = (scope: ScopeDefinition, { row }: NewRow): string[] =>
  Object.keys((scope.fullRow ?? scope.listRow).shape).filter(
    (field) => field in scope.parsed.shape && row[field] === undefined && field !== scope.childRows?.field,
  );

/** Fills the fields that this answer does not contain, or whose text it damaged, with their stored values. */
export const carryOver = (scope: ScopeDefinition, row: NewRow, before: Row): NewRow => {
  const missing = missingFields(scope, row);
  const restored = restoreTexts(row.row, before);
  if (missing.length === 0 && restored === row.row) return row;
  const merged = { ...restored, ...Object.fromEntries(missing.map((field) => [field, before[field] ?? null])) };
  // The hash of a full row is the hash of the answer. A scope with only list rows hashes the merged row.
  const hash = scope.fullRow === null ? hashContent(scope, merged, {}) : row.hash;
  return { ...row, row: merged, hash, searchText: rowSearchText(scope, merged) };
};
