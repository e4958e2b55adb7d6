/** Compares a reading of a tender with the stored rows of its connection, and prepares the writes. */
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import { type Key, keys, type TenderAddress, type TenderScope } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { TENDER_LIMITS } from '#shared/tenders/limits.ts';
import { maybeDamaged, restoreTexts } from '#shared/values/damaged-forms.ts';
import {
  type Beside,
  besideStored,
  type Comparison,
  copiesAmong,
  findChangedFacts,
  nothingBeside,
  type TenderRules,
} from '#shared/values/tender-beside.ts';
import { recognizeItems } from '#shared/values/tender-identity.ts';
import * as documents from './document.store.ts';
import { type RenamedRows, renameExchanged } from './exchanged-rows.rules.ts';
import { findReplacedLists, type JudgedDoubt } from './tender-doubts.rules.ts';
import { type FileContent, findOwnContents, haveOtherContent } from './tender-file.store.ts';
import {
  compress,
  decompress,
  packTenderRow,
  servedRow,
  storedTenderRow,
  type TenderRowHistory,
  tenderRowHash,
  tenderRowItem,
} from './tender-items.ts';

interface TenderReadRow {
  row: Row;
  /** Present if the scope shows the source's record. */
  raw?: Row | undefined;
}

export interface TenderReading {
  /** Rows in the form of the scope's `parsed` schema. */
  rows: readonly TenderReadRow[];
  /** Time of the source's answer, in UTC with milliseconds. */
  observedAt: string;
  runId: string;
  /**
   * True if everything was readable and nothing is doubtful. Only such a reading may remove stored copies of the shown
   * rows.
   */
  isWhole?: boolean;
  /** True to recognize stored rows under other keys, and to doubt a reading that replaces stored data all at once. */
  recognizes?: boolean;
  /** False if the tender no longer changes. If undefined, the stored value stays unchanged. */
  isOpen?: boolean | undefined;
}

/** A stored row, and its item without the raw record. */
export interface StoredTenderItem {
  item: table.Item;
  row: Row;
}

/** Returns the stored rows of a scope by their sort keys. */
export const findStoredRows = async (pk: string, prefix: string): Promise<Map<string, StoredTenderItem>> => {
  const attributes = ['sk', 'hash', 'created_at', 'created_run', 'updated_run', 'row', 'packed'];
  const items = await table.query(pk, { prefix, attributes });
  return new Map(
    await Promise.all(items.map(async (item) => [item.sk, { item, row: (await storedTenderRow(item)).row }] as const)),
  );
};

const keepRaw = async (address: TenderAddress, raw: Row, hash: string) => {
  const bytes = await compress(raw);
  if (bytes.length <= TENDER_LIMITS.rawRowBytesMax) return { bytes };
  // The object is named after its content. So a reader that holds the earlier row still finds the object that the
  // earlier row names.
  const object = documents.objectKey(address, 'fichas', address.codigo, hash);
  await documents.put(object, bytes);
  return { object };
};

/**
 * Returns the record as read, with its damaged texts replaced by the texts of the stored record. If the stored record is
 * in the bucket, the record as read is returned unchanged.
 */
const restoreRaw = async (key: Key, before: StoredTenderItem | undefined, raw: Row | null): Promise<Row | null> => {
  if (!before || raw === null || !maybeDamaged(raw)) return raw;
  const found = await table.get(key);
  const stored = found && (await storedTenderRow(found)).raw;
  return stored ? restoreTexts(raw, await decompress(stored)) : raw;
};

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

const NO_RULES: TenderRules = { lasting: [], facts: [], key: [], isSame: () => false, isCopy: () => false };

/** A row of the reading with its key, and the row that would be stored. */
interface ShownRow extends TenderReadRow {
  key: Key;
  before: StoredTenderItem | undefined;
  merged: Row;
}

/** A reading of a scope, and the rows that are stored. */
export interface ComparedReading {
  address: TenderAddress;
  definition: ScopeDefinition;
  scope: TenderScope;
  reading: TenderReading;
  stored: ReadonlyMap<string, StoredTenderItem>;
}

/** True for a row that is a document. */
const hasFile = ({ locator }: Row): boolean => locator !== undefined;

const idOf = ({ merged }: ShownRow): string => String(merged.id);

/** Returns each shown row once, under the key of the stored row that it matches. */
const recognizedRows = (
  { address, definition, scope, reading, stored }: ComparedReading,
  { key: fields, isSame }: TenderRules,
): ShownRow[] => {
  const before = reading.recognizes ? [...stored.values()].map(({ row }) => row) : [];
  const keyOf = (row: Row): string => JSON.stringify(definition.naturalKey(row));
  const parsed = reading.rows.map(({ row }) => row);
  const shown = new Map<string, ShownRow>();
  for (const [at, row] of recognizeItems(parsed, before, { fields, keyOf, isSame }).entries()) {
    const merged = servedRow(address.organizationId, definition, row);
    const key = keys.tenderRow(address, scope, String(merged.id));
    // If several rows have the same key, the first row wins, because the source shows the newest row first.
    if (!shown.has(key.sk)) shown.set(key.sk, { ...reading.rows[at], row, key, before: stored.get(key.sk), merged });
  }
  return [...shown.values()];
};

const keepFacts = (row: ShownRow, fields: readonly string[] = []): ShownRow => {
  const kept = Object.fromEntries(fields.map((field) => [field, row.before?.row[field]]));
  return { ...row, merged: { ...row.merged, ...kept } };
};

interface AcceptedRows {
  rows: readonly ShownRow[];
  /** Ids of stored rows that stay because the reading replaces their whole list. */
  keptIds: ReadonlySet<string>;
  doubt: string | null;
}

/** Decides whether doubted data is believed. */
type Judge = (doubted: readonly unknown[]) => JudgedDoubt;

/** Leaves out the rows and facts of the reading that are doubted, unless they are believed. */
const withoutDoubts = (
  { reading, stored }: ComparedReading,
  shown: readonly ShownRow[],
  { rules, beside }: Comparison,
  judge: Judge,
): AcceptedRows => {
  const rows = shown.map(({ merged }) => merged);
  const lists = findReplacedLists(
    rules,
    rows,
    [...stored.values()].map(({ row }) => row),
  );
  const known = shown.flatMap((row) =>
    row.before ? [{ id: idOf(row), stored: row.before.row, merged: row.merged }] : [],
  );
  const { byId, isMass } = findChangedFacts(rules, known);
  const changed = isMass ? shown.filter((row) => byId.has(idOf(row))) : [];
  const facts = changed.map((row) => [idOf(row), byId.get(idOf(row))?.map((field) => row.merged[field])]);
  const { doubt, isBelieved } = judge(reading.recognizes ? [...lists.shown, ...facts] : []);
  const isAccepted = doubt === null || isBelieved;
  beside.corrected = isAccepted || !isMass ? byId.size : 0;
  if (isAccepted) return { rows: shown, keptIds: new Set(), doubt };
  beside.replaced = lists.stored.size;
  beside.contradicted = changed.length;
  const accepted = shown.filter((row) => !lists.shown.has(idOf(row)));
  const kept = isMass ? accepted.map((row) => keepFacts(row, byId.get(idOf(row)))) : accepted;
  return { rows: kept, keptIds: lists.stored, doubt };
};

/** Returns the scope's rule for copies. Documents with different stored files are different documents. */
const withFiles = async (
  address: TenderAddress,
  { isCopy }: TenderRules,
  unshown: readonly Row[],
  shown: readonly Row[],
): Promise<TenderRules['isCopy']> => {
  const alike = unshown.filter(hasFile).flatMap((row) => {
    const same = shown.filter((one) => isCopy(row, one));
    return same.length === 0 ? [] : [row, ...same];
  });
  const ids = [...new Set(alike.map(({ id }) => String(id)))];
  const files = ids.length === 0 ? new Map() : await findOwnContents(address, ids);
  const contentOf = ({ id }: Row): FileContent | undefined => files.get(String(id));
  return (stored, row) => isCopy(stored, row) && !haveOtherContent(contentOf(stored), contentOf(row));
};

export interface ReadingComparison {
  /** History of each shown row, by its sort key. */
  settled: ReadonlyMap<string, TenderRowHistory>;
  puts: readonly table.Item[];
  removes: readonly Key[];
  beside: Beside;
  /** The accepted rows in the form of the scope's `parsed` schema, under their stored keys. */
  rows: readonly Row[];
  /** The doubt to store; null if nothing is doubted. */
  doubt: string | null;
}

/** Returns the stored rows under the keys that the current version derives. */
const renameStored = (
  { address, definition, scope, reading, stored }: ComparedReading,
  { exchange }: TenderRules,
): RenamedRows<StoredTenderItem> => {
  if (!reading.recognizes || !exchange) return { stored, formerKeys: new Map() };
  const identify = (from: Row) => {
    const row = servedRow(address.organizationId, definition, from);
    return { row, key: keys.tenderRow(address, scope, String(row.id)).sk };
  };
  const shown = new Set(reading.rows.map(({ row }) => identify(row).key));
  return renameExchanged(stored, shown, exchange, identify);
};

export const compareReading = async (asStored: ComparedReading, judge: Judge): Promise<ReadingComparison> => {
  const { address, definition, scope, reading } = asStored;
  const rules = definition.tender ?? NO_RULES;
  const { stored, formerKeys } = renameStored(asStored, rules);
  const compared = { ...asStored, stored };
  const beside = nothingBeside();
  const comparison = { rules, isWhole: reading.isWhole ?? false, beside };
  const shown = recognizedRows(compared, rules).map((each) => {
    const { row, before, merged } = each;
    return before ? { ...each, merged: besideStored(merged, row, before.row, comparison) } : each;
  });
  const { rows, keptIds, doubt } = withoutDoubts(compared, shown, comparison, judge);
  const settled = new Map<string, TenderRowHistory>();
  const puts: table.Item[] = [];
  for (const { key, before, merged, raw: told = null } of rows) {
    if (!before) beside.fresh++;
    const raw = await restoreRaw(key, before, told);
    const hash = tenderRowHash(merged, raw);
    const history = historyOf(before?.item, hash, reading);
    settled.set(key.sk, history);
    if (before?.item.hash === hash) continue;
    puts.push(
      await packTenderRow(key, { row: merged, hash, history, raw: raw && (await keepRaw(address, raw, hash)) }),
    );
  }
  const isUnshown = ([sk, { row }]: [string, StoredTenderItem]): boolean =>
    !settled.has(sk) && !keptIds.has(String(row.id));
  const unshown = [...stored].filter(isUnshown).map(([, { row }]) => row);
  const shownRows = rows.map(({ merged }) => merged);
  const isWhole = comparison.isWhole && doubt === null;
  const isCopy = await withFiles(address, rules, unshown, shownRows);
  const copies = copiesAmong(unshown, shownRows, { ...comparison, isWhole, rules: { ...rules, isCopy } });
  const { pk } = keys.tenderRowsOf(address, scope);
  const former = [...formerKeys].flatMap(([key, sk]) => (settled.has(key) ? [{ pk, sk }] : []));
  beside.copies += former.length;
  return {
    ...{ settled, puts, beside, doubt, rows: rows.map(({ row }) => row) },
    removes: [...copies.map(({ id }) => keys.tenderRow(address, scope, String(id))), ...former],
  };
};
