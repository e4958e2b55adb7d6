/**
 * Stores tenders of public procurement. The data of each connection is stored separately under the tender's code. So
 * the API returns the newest reading over all connections, and the purge of one connection deletes only its own data.
 */

import { hash } from 'node:crypto';
import { nowMs } from '#shared/platform/clock.ts';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import { CODIGO_PATTERN } from '#shared/scopes/tender.ts';
import { type Key, keys, TENDER_SCOPES, type TenderAddress, type TenderScope } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { TENDER_LIMITS } from '#shared/tenders/limits.ts';
import {
  type Beside,
  besideStored,
  copiesAmong,
  nothingBeside,
  type TenderRules,
} from '#shared/values/tender-beside.ts';
import * as documents from './document.store.ts';
import { announceTender, markUnannounced } from './tender-changes.store.ts';
import { forgetFiles } from './tender-file.store.ts';
import {
  compress,
  packTenderRow,
  servedRow,
  storedTenderRow,
  type TenderRowHistory,
  tenderItem,
  tenderRowHash,
  tenderRowItem,
} from './tender-items.ts';
import { listTender } from './tender-list.store.ts';
import { isToAnnounce } from './tender-marks.rules.ts';
import { isOvertaking, noteReading, readAt, type TenderReadNote } from './tender-reads.store.ts';
import type { TenderCounts } from './tender-task.rules.ts';

/** Returns the code in its stored form, or null for any text that cannot be a code. */
export const normalizedCodigo = (asked: string): string | null => {
  // The text is checked before and after the conversion to upper case, because the conversion turns some letters into
  // other letters or even two letters.
  const upper = /^[A-Za-z0-9-]{1,32}$/.test(asked) ? asked.toUpperCase() : '';
  return CODIGO_PATTERN.test(upper) ? upper : null;
};

export const tenderScope = (scope: ScopeDefinition): TenderScope => {
  const name = TENDER_SCOPES.find((known) => known === scope.name);
  if (scope.source !== 'procurement' || name === undefined) throw new Error(`${scope.name} is not a scope of tenders`);
  return name;
};

export interface TenderReading {
  /** Rows in the form of the scope's `parsed` schema. `raw` is present if the scope shows the source's record. */
  rows: readonly { row: Row; raw?: Row | undefined }[];
  /** Time of the source's answer, in UTC with milliseconds. */
  observedAt: string;
  runId: string;
  /**
   * True if everything was readable and nothing is doubtful. Only such a reading may remove stored copies of the shown
   * rows.
   */
  isWhole?: boolean;
  /** False if the tender no longer changes. If undefined, the stored value stays unchanged. */
  isOpen?: boolean | undefined;
}

const keepRaw = async (address: TenderAddress, raw: Row, hash: string) => {
  const bytes = await compress(raw);
  if (bytes.length <= TENDER_LIMITS.rawRowBytesMax) return { bytes };
  // The object is named after its content. So a reader that holds the earlier row still finds the object that the
  // earlier row names.
  const object = documents.objectKey(address, 'fichas', address.codigo, hash);
  await documents.put(object, bytes);
  return { object };
};

export interface WrittenTender {
  counts: TenderCounts;
  /** Differences between the reading and the stored rows. */
  beside: Beside;
}

const DIGEST_CHARS = 12;

const NO_RULES: TenderRules = { lasting: [], fixed: [], isCopy: () => false };

interface Stored {
  item: table.Item;
  row(): Promise<Row>;
}

/** Returns the stored rows. Each row is unpacked only when needed. */
const storedRows = async (pk: string, prefix: string): Promise<Map<string, Stored>> => {
  const attributes = ['sk', 'hash', 'created_at', 'created_run', 'updated_run', 'row', 'packed'];
  const items = await table.query(pk, { prefix, attributes });
  return new Map(items.map((item) => [item.sk, { item, row: async () => (await storedTenderRow(item)).row }]));
};

/**
 * True if the stored row must be unpacked. This is needed only for values that the reading lacks or that must stay
 * unchanged.
 */
const needsStored = (parsed: Row, fields: readonly string[], { lasting, fixed }: TenderRules): boolean =>
  fixed.length > 0 ||
  Array.isArray(parsed.documentos) ||
  fields.some((field) => parsed[field] === undefined) ||
  lasting.some((field) => parsed[field] === null);

const historyOf = (
  found: table.Item | undefined,
  hash: string,
  { observedAt, runId }: TenderReading,
): TenderRowHistory => {
  const before = found && tenderRowItem.fromItem(found);
  return {
    createdAt: before?.createdAt ?? observedAt,
    createdRun: before?.createdRun ?? runId,
    updatedRun: before?.hash === hash ? before.updatedRun : runId,
  };
};

const countsOf = (histories: readonly TenderRowHistory[], runId: string): TenderCounts => ({
  found: histories.length,
  created: histories.filter(({ createdRun }) => createdRun === runId).length,
  updated: histories.filter(({ createdRun, updatedRun }) => updatedRun === runId && createdRun !== runId).length,
});

export interface TenderWriting {
  /** Called before each write; throws if the lease is lost. */
  checkLease?: () => void;
  /** Fence of the scope's lease. */
  fence?: number;
  /**
   * Receives the differences before the rows are written, because a repetition after a crash no longer finds these
   * differences.
   */
  beforeWriting?: (beside: Beside) => Promise<void>;
}

interface ReadingComparison {
  /** History of each shown row, by its sort key. */
  settled: ReadonlyMap<string, TenderRowHistory>;
  puts: readonly table.Item[];
  removes: readonly Key[];
  beside: Beside;
}

/** Compares a reading with the connection's stored rows of the scope. */
const compareRows = async (
  address: TenderAddress,
  definition: ScopeDefinition,
  reading: TenderReading,
  stored: ReadonlyMap<string, Stored>,
): Promise<ReadingComparison> => {
  const scope = tenderScope(definition);
  const rules = definition.tender ?? NO_RULES;
  const comparison = { rules, isWhole: reading.isWhole ?? false, beside: nothingBeside() };
  const { beside } = comparison;
  const settled = new Map<string, TenderRowHistory>();
  const shown: Row[] = [];
  const puts: table.Item[] = [];
  const parsedFields = Object.keys(definition.parsed.shape);
  for (const { row, raw = null } of reading.rows) {
    const told = servedRow(address.organizationId, definition, row);
    const key = keys.tenderRow(address, scope, String(told.id));
    // If several rows have the same key, the first row wins, because the source shows the newest row first.
    if (settled.has(key.sk)) continue;
    const before = stored.get(key.sk);
    if (!before) beside.fresh++;
    const served =
      before && needsStored(row, parsedFields, rules) ? besideStored(told, row, await before.row(), comparison) : told;
    shown.push(served);
    const rowHash = tenderRowHash(served, raw);
    const history = historyOf(before?.item, rowHash, reading);
    settled.set(key.sk, history);
    if (before?.item.hash === rowHash) continue;
    const kept = raw && (await keepRaw(address, raw, rowHash));
    puts.push(await packTenderRow(key, { row: served, hash: rowHash, history, raw: kept }));
  }
  const unshown = await Promise.all([...stored].filter(([sk]) => !settled.has(sk)).map(([, { row }]) => row()));
  const copies = copiesAmong(unshown, shown, comparison);
  return { settled, puts, removes: copies.map(({ id }) => keys.tenderRow(address, scope, String(id))), beside };
};

/**
 * Writes the rows of one answer about a tender. A repetition changes nothing, and a reading without changes writes no
 * row. A row that is no longer shown stays, unless it is a copy of a shown row. Counts are derived from the run ids in
 * the rows, so they are correct after a crash. The reading is noted after the rows are written; only then does the API
 * return the rows, and readers of changes see them.
 */
export const writeTender = async (
  address: TenderAddress,
  definition: ScopeDefinition,
  reading: TenderReading,
  { checkLease = () => undefined, fence = 0, beforeWriting }: TenderWriting = {},
): Promise<WrittenTender> => {
  const { codigo } = address;
  const { runId, observedAt, isOpen } = reading;
  if (!CODIGO_PATTERN.test(codigo)) throw new Error('not the code of a tender');
  const scope = tenderScope(definition);
  const known = keys.tenderOf(address);
  const { pk, prefix } = keys.tenderRowsOf(address, scope);
  const stored = await storedRows(pk, prefix);
  const found = await knownTender(known, codigo, stored.size === 0);
  const { settled, puts, removes, beside } = await compareRows(address, definition, reading, stored);
  const hasNews = puts.length + removes.length > 0;
  await beforeWriting?.(beside);
  if (hasNews) await markUnannounced(address, scope, fence);
  // File entries are removed before the rows that name them, because after a crash the next worker finds these rows
  // again and repeats both removals.
  await forgetFiles(address, beside.documents, checkLease);
  await table.batchWrite({ puts, removes }, checkLease);
  const noted = { at: observedAt, digest: digestOf(stored, puts, removes) };
  const hasRows = stored.size + puts.length > 0;
  const isNews = async () => hasRows && (await makesNews(address, scope, noted, { found, fence }));
  // The tender is marked before the reading is noted, because after the note the returned rows may change even if the
  // worker dies.
  const isMarked = hasNews || (await isNews());
  if (isMarked && !hasNews) await markUnannounced(address, scope, fence);
  await tellReading(address, definition, noted);
  // Another connection may have noted a reading in the meantime.
  if (isMarked || (await isNews())) await announceTender(address, { scope, observedAt, fence });
  // The plan of the next sync needs this time: each scope that has not read the tender since it closed reads the tender
  // once more.
  const closedAt = isOpen === false ? observedAt : undefined;
  const changes = tenderItem.toChanges({ codigo, open: isOpen, closedAt });
  await table.update(known, { set: { ...changes, [readAt(scope)]: observedAt } });
  return { counts: countsOf([...settled.values()], runId), beside };
};

/** Notes the reading. For the scope of the tender itself, the list changes in the same transaction. */
const tellReading = (address: TenderAddress, definition: ScopeDefinition, reading: TenderReadNote): Promise<void> => {
  const scope = tenderScope(definition);
  return scope === 'licitaciones' ? listTender(address, definition, reading) : noteReading(address, scope, reading);
};

/**
 * Returns the stored item of the tender. If the scope has no rows yet, the item is written before the rows, so that the
 * purge finds all rows.
 */
const knownTender = async (key: Key, codigo: string, isNew: boolean): Promise<table.Item> => {
  const found = isNew ? undefined : await table.get(key);
  return found ?? table.update(key, { set: tenderItem.toChanges({ codigo }) });
};

/**
 * True if a reading without new rows must be announced. This is the case if it is the connection's first noted reading
 * (which makes rows of a dead worker visible), if a dead worker left a mark, or if the reading changes which rows are
 * returned.
 */
const makesNews = async (
  address: TenderAddress,
  scope: TenderScope,
  reading: TenderReadNote,
  { found, fence }: { found: table.Item; fence: number },
): Promise<boolean> => {
  const before = found[readAt(scope)] as string | undefined;
  const { unannounced } = tenderItem.fromItem(found);
  if (before === undefined || isToAnnounce(unannounced, { scope, fence, atMs: nowMs() })) return true;
  return isOvertaking(address, scope, reading, before);
};

/** Returns the digest of all rows that the connection now has in the scope. */
const digestOf = (
  stored: ReadonlyMap<string, Stored>,
  puts: readonly table.Item[],
  removes: readonly Key[],
): string => {
  const hashes = new Map([...stored].map(([sk, { item }]) => [sk, String(item.hash)]));
  for (const { sk, hash: own } of puts) hashes.set(sk, String(own));
  for (const { sk } of removes) hashes.delete(sk);
  const rows = [...hashes].map(([sk, own]) => [sk.split('#').at(-1), own]).sort();
  return hash('sha256', JSON.stringify(rows), 'base64url').slice(0, DIGEST_CHARS);
};
