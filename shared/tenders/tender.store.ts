/**
 * Tenders of public procurement. What each connection read of a tender lies side by side under the tender's code, so
 * that the newest reading of all connections is served and the purge of one takes only its own away.
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

/** The code as stored; null for what can be no code, whatever characters it has. */
export const normalizedCodigo = (asked: string): string | null => {
  // Judged before and after: some letters become others, or two, in upper case.
  const upper = /^[A-Za-z0-9-]{1,32}$/.test(asked) ? asked.toUpperCase() : '';
  return CODIGO_PATTERN.test(upper) ? upper : null;
};

export const tenderScope = (scope: ScopeDefinition): TenderScope => {
  const name = TENDER_SCOPES.find((known) => known === scope.name);
  if (scope.source !== 'procurement' || name === undefined) throw new Error(`${scope.name} is no scope of tenders`);
  return name;
};

export interface TenderReading {
  /** As the scope's `parsed` has them; `raw` where the scope shows its record. */
  rows: readonly { row: Row; raw?: Row | undefined }[];
  /** UTC with milliseconds: when the source answered. */
  observedAt: string;
  runId: string;
  /** Everything of it could be read and nothing is in doubt: copies of what it shows may go. */
  isWhole?: boolean;
  /** False for a tender of which nothing more is to come; undefined leaves it as it is. */
  isOpen?: boolean | undefined;
}

const keepRaw = async (address: TenderAddress, raw: Row, hash: string) => {
  const bytes = await compress(raw);
  if (bytes.length <= TENDER_LIMITS.rawRowBytesMax) return { bytes };
  // Named after its content: a reader that holds the row of before still finds what it speaks of.
  const object = documents.objectKey(address, 'fichas', address.codigo, hash);
  await documents.put(object, bytes);
  return { object };
};

export interface WrittenTender {
  counts: TenderCounts;
  /** What the reading came to beside what was stored. */
  beside: Beside;
}

const DIGEST_CHARS = 12;

const NO_RULES: TenderRules = { lasting: [], fixed: [], isCopy: () => false };

interface Stored {
  item: table.Item;
  row(): Promise<Row>;
}

/** Rows as they lie, each unpacked when it is looked at. */
const storedRows = async (pk: string, prefix: string): Promise<Map<string, Stored>> => {
  const attributes = ['sk', 'hash', 'created_at', 'created_run', 'updated_run', 'row', 'packed'];
  const items = await table.query(pk, { prefix, attributes });
  return new Map(items.map((item) => [item.sk, { item, row: async () => (await storedTenderRow(item)).row }]));
};

/** Does the stored row have to be looked at? Only what is not told, or may have been kept, comes out of it. */
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
  /** Called before each write; throws when the lease is lost. */
  checkLease?: () => void;
  /** Of the lease of the scope. */
  fence?: number;
  /** Hears what the reading comes to while it can still be found: a repetition finds it done. */
  beforeWriting?: (beside: Beside) => Promise<void>;
}

interface ReadingComparison {
  /** How each row that was shown came to be, by its sort key. */
  settled: ReadonlyMap<string, TenderRowHistory>;
  puts: readonly table.Item[];
  removes: readonly Key[];
  beside: Beside;
}

/** A reading beside what the connection has stored of the scope. */
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
    // Of rows with the same key the first stands: the source shows the newest first or once.
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
 * Writes what one answer of the source showed of a tender. Repeating it changes nothing, a reading that shows nothing
 * new writes no row, and a row that is no longer shown stays, unless it is a copy of one that is. Counts are right after
 * a crash, too: they come from the runs noted on the rows. The reading is noted after the rows, and only then is anything
 * of it served, and announced to readers of changes.
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
  // Before the rows that name them: a worker that dies between the two finds those again.
  await forgetFiles(address, beside.documents, checkLease);
  await table.batchWrite({ puts, removes }, checkLease);
  const noted = { at: observedAt, digest: digestOf(stored, puts, removes) };
  const hasRows = stored.size + puts.length > 0;
  const isNews = async () => hasRows && (await makesNews(address, scope, noted, { found, fence }));
  // A worker that dies after the note leaves other rows served.
  const isMarked = hasNews || (await isNews());
  if (isMarked && !hasNews) await markUnannounced(address, scope, fence);
  await tellReading(address, definition, noted);
  // Another connection may have noted a reading meanwhile.
  if (isMarked || (await isNews())) await announceTender(address, { scope, observedAt, fence });
  // For the next plan: a tender that closed is read once more by every scope that has not seen it closed.
  const closedAt = isOpen === false ? observedAt : undefined;
  const changes = tenderItem.toChanges({ codigo, open: isOpen, closedAt });
  await table.update(known, { set: { ...changes, [readAt(scope)]: observedAt } });
  return { counts: countsOf([...settled.values()], runId), beside };
};

/** What the list shows of a tender changes with the reading, in one transaction. */
const tellReading = (address: TenderAddress, definition: ScopeDefinition, reading: TenderReadNote): Promise<void> => {
  const scope = tenderScope(definition);
  return scope === 'licitaciones' ? listTender(address, definition, reading) : noteReading(address, scope, reading);
};

/**
 * What is known of the tender; written first where no row of the scope is stored, so that the purge finds whatever is
 * written from here on.
 */
const knownTender = async (key: Key, codigo: string, isNew: boolean): Promise<table.Item> => {
  const found = isNew ? undefined : await table.get(key);
  return found ?? table.update(key, { set: tenderItem.toChanges({ codigo }) });
};

/**
 * Is a reading that found nothing new to be announced? It is where rows of a worker that died are served from now on, being
 * the first reading that was noted; where such a worker left a mark; and where other rows than before are served by it.
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

/** Of all rows that the connection has of the scope now. */
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
