/**
 * Stores tenders of public procurement. The data of each connection is stored separately under the tender's code. So
 * the API returns the newest reading over all connections, and the purge of one connection deletes only its own data.
 */

import { hash } from 'node:crypto';
import { nowMs } from '#shared/platform/clock.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import { CODIGO_PATTERN } from '#shared/scopes/tender.ts';
import { type Key, keys, TENDER_SCOPES, type TenderAddress, type TenderScope } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import type { Beside } from '#shared/values/tender-beside.ts';
import { compareReading, findStoredRows, type StoredTenderItem, type TenderReading } from './compare-reading.store.ts';
import { announceTender, markUnannounced } from './tender-changes.store.ts';
import { judgeDoubt } from './tender-doubts.rules.ts';
import { forgetFiles } from './tender-file.store.ts';
import { type TenderRowHistory, tenderItem } from './tender-items.ts';
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

export interface WrittenTender {
  counts: TenderCounts;
  /** Differences between the reading and the stored rows. */
  beside: Beside;
  /** The accepted rows in the form of the scope's `parsed` schema, under their stored keys. */
  rows: readonly Row[];
}

const DIGEST_CHARS = 12;
const DOUBT_STANDS_MS = ROW_LIMITS.rewrittenRowsStandHours * 3_600_000;

/** Returns the name of the tender's attribute with the data of the scope that was doubted in the last reading. */
const nameDoubt = (scope: TenderScope): string => `${scope}_doubt`;

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
  const stored = await findStoredRows(pk, prefix);
  const found = await knownTender(known, codigo, stored.size === 0);
  const judge = (doubted: readonly unknown[]) =>
    judgeDoubt(found[nameDoubt(scope)] as string | undefined, doubted, { atMs: nowMs(), standMs: DOUBT_STANDS_MS });
  const comparison = await compareReading({ address, definition, scope, reading, stored }, judge);
  const { settled, puts, removes, beside, rows, doubt } = comparison;
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
  await table.update(known, {
    set: { ...changes, [readAt(scope)]: observedAt, ...(doubt === null ? {} : { [nameDoubt(scope)]: doubt }) },
    ...(doubt === null && nameDoubt(scope) in found ? { remove: [nameDoubt(scope)] } : {}),
  });
  return { counts: countsOf([...settled.values()], runId), beside, rows };
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
  stored: ReadonlyMap<string, StoredTenderItem>,
  puts: readonly table.Item[],
  removes: readonly Key[],
): string => {
  const hashes = new Map([...stored].map(([sk, { item }]) => [sk, String(item.hash)]));
  for (const { sk, hash: own } of puts) hashes.set(sk, String(own));
  for (const { sk } of removes) hashes.delete(sk);
  const rows = [...hashes].map(([sk, own]) => [sk.split('#').at(-1), own]).sort();
  return hash('sha256', JSON.stringify(rows), 'base64url').slice(0, DIGEST_CHARS);
};
