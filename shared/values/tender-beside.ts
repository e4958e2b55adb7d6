/**
 * Compares a reading of a tender with the stored data. Stored data counts more than a single answer (decisions.md §5):
 * a value, attachment or row that is no longer shown stays and is reported. Only copies are removed. A copy is an item
 * that a faulty answer stored under a wrong identity, while a complete reading shows the same item under its right
 * identity. Pure.
 */
import { canonicalDecimal, isDecimal } from './decimals.ts';
import { isMassChange } from './mass-change.ts';
import { isDocumentCopy, plain, type TenderRow } from './tender-identity.ts';

/** Result of comparing the shown data with the stored data. */
export interface Beside {
  /** Number of shown rows and attachments that were not stored. */
  fresh: number;
  /** Numbers of stored rows, values and attachments that the source no longer shows. */
  rows: number;
  values: number;
  attachments: number;
  /** Number of stored values of fields that the reading leaves open. */
  filled: number;
  /** Number of stored rows of lists that the source replaces by other rows all at once. */
  replaced: number;
  /** Number of rows whose facts the source changes all at once. The stored facts stay. */
  contradicted: number;
  /** Number of rows whose facts change. The shown facts are stored. */
  corrected: number;
  /** Number of tenders that go back from a final state to an earlier state. */
  reversed: number;
  /** Number of removed copies. */
  copies: number;
  /** Ids of the documents that are removed with the copies. */
  documents: string[];
}

export const nothingBeside = (): Beside => ({
  fresh: 0,
  rows: 0,
  values: 0,
  attachments: 0,
  filled: 0,
  replaced: 0,
  contradicted: 0,
  corrected: 0,
  reversed: 0,
  copies: 0,
  documents: [],
});

export interface TenderRules {
  /** Fields that are null until the source fills them, and that never become null again. */
  lasting: readonly string[];
  /** Fields whose values never change once the source shows them. */
  facts: readonly string[];
  /** Fields of the parsed row from which its key is derived, in addition to the tender's code. */
  key: readonly string[];
  /** Field that names the list in which the source shows the row. Absent if the source has only one list. */
  listing?: string;
  /** True if a shown row is the same item as a stored row under another key. */
  isSame(stored: TenderRow, shown: TenderRow): boolean;
  /**
   * True if a stored row that is not shown is the same item as a shown row. In this case a faulty answer stored the
   * row.
   */
  isCopy(stored: TenderRow, shown: TenderRow): boolean;
  /**
   * Returns a stored row with its two identifying fields exchanged; undefined for a row that lacks one of them. Absent
   * in scopes that no version stored so.
   */
  exchange?(stored: TenderRow): TenderRow | undefined;
  /** True if the shown state comes before the stored state. Absent in scopes without states. */
  isReversed?(stored: TenderRow, shown: TenderRow): boolean;
}

const TO_THE_SECOND = /:\d\d\.000Z$/;

/**
 * True if the shown time is less precise than the stored time. The ficha shows times to the second, the API to the
 * millisecond. The more precise stored time stays.
 */
const isCoarser = (stored: unknown, shown: unknown): boolean =>
  typeof stored === 'string' &&
  typeof shown === 'string' &&
  TO_THE_SECOND.test(shown) &&
  stored !== shown &&
  stored.replace(/\.\d{3}Z$/, '.000Z') === shown;

/** The rules and the result of comparing a reading. */
export interface Comparison {
  rules: TenderRules;
  /** True if the whole reading was readable and nothing is doubtful. */
  isWhole: boolean;
  beside: Beside;
}

const keptValues = (
  shown: TenderRow,
  parsed: TenderRow,
  stored: TenderRow,
  { rules, beside }: Comparison,
): TenderRow => {
  const kept: TenderRow = {};
  for (const field of Object.keys(shown)) {
    const isOpen = parsed[field] === undefined && field in stored;
    if (isOpen || isCoarser(stored[field], parsed[field])) kept[field] = stored[field];
    if (isOpen && stored[field] !== null) beside.filled++;
  }
  for (const field of rules.lasting) {
    if (parsed[field] !== null || (stored[field] ?? null) === null) continue;
    kept[field] = stored[field];
    beside.values++;
  }
  return kept;
};

const keptAttachments = (shown: TenderRow[], stored: TenderRow[], { isWhole, beside }: Comparison): TenderRow[] => {
  const known = new Set(shown.map(({ id }) => id));
  const before = new Set(stored.map(({ id }) => id));
  beside.fresh += shown.filter(({ id }) => !before.has(id)).length;
  const kept: TenderRow[] = [];
  for (const document of stored) {
    if (known.has(document.id)) continue;
    if (isWhole && shown.some((one) => isDocumentCopy(document, one))) {
      beside.copies++;
      beside.documents.push(String(document.id));
    } else kept.push(document);
  }
  beside.attachments += kept.length;
  return kept;
};

/**
 * Fills the shown row with stored values that the reading lacks. In `parsed`, undefined means that the reading lacks
 * the field. `id` and the values derived from it stay the values of the shown row.
 */
export const besideStored = (
  shown: TenderRow,
  parsed: TenderRow,
  stored: TenderRow,
  comparison: Comparison,
): TenderRow => {
  const { id: _, documentos, ...values } = shown;
  const merged = { ...shown, ...keptValues(values, parsed, stored, comparison) };
  if (comparison.rules.isReversed?.(stored, merged)) comparison.beside.reversed++;
  if (!Array.isArray(documentos) || !Array.isArray(stored.documentos)) return merged;
  return { ...merged, documentos: [...documentos, ...keptAttachments(documentos, stored.documentos, comparison)] };
};

/**
 * Returns the copies among the stored rows that the reading does not show. Rows that are not copies stay and are
 * reported.
 */
export const copiesAmong = (
  unshown: readonly TenderRow[],
  shown: readonly TenderRow[],
  { rules, isWhole, beside }: Comparison,
): TenderRow[] => {
  const copies = isWhole ? unshown.filter((stored) => shown.some((row) => rules.isCopy(stored, row))) : [];
  beside.copies += copies.length;
  beside.rows += unshown.length - copies.length;
  for (const { id, documentos, locator } of copies) {
    if (locator !== undefined) beside.documents.push(String(id));
    if (Array.isArray(documentos)) beside.documents.push(...documentos.map((own: TenderRow) => String(own.id)));
  }
  return copies;
};

const fact = (value: unknown): string | null => (isDecimal(value) ? canonicalDecimal(value) : plain(value));

/** A fact that the source no longer shows is no other fact. */
const isOther = (stored: string | null, shown: string | null): boolean => shown !== null && shown !== stored;

/** A row as it is stored, and as it would be stored after the reading. */
export interface ComparedRow {
  id: string;
  stored: TenderRow;
  merged: TenderRow;
}

export interface ChangedFacts {
  /** The changed facts of each row, by the row's id. */
  byId: ReadonlyMap<string, readonly string[]>;
  /** True if too many rows change facts at once. */
  isMass: boolean;
}

/** Finds the facts that a reading changes. A fact that was not known before is no change. */
export const findChangedFacts = ({ facts }: TenderRules, rows: readonly ComparedRow[]): ChangedFacts => {
  const byId = new Map<string, string[]>();
  const tallies = facts.map((field) => {
    const known = rows.filter(({ stored }) => fact(stored[field]) !== null);
    const changed = known.filter(({ stored, merged }) => isOther(fact(stored[field]), fact(merged[field])));
    for (const { id } of changed) byId.set(id, [...(byId.get(id) ?? []), field]);
    return isMassChange(changed.length, known.length);
  });
  return { byId, isMass: tallies.includes(true) || isMassChange(byId.size, rows.length) };
};

/** True if the reading showed exactly the stored data. */
export const isAsStored = ({ fresh, rows, attachments, copies, replaced }: Beside): boolean =>
  fresh + rows + attachments + copies + replaced === 0;

const count = (n: number, what: string): string[] => (n === 0 ? [] : [`${n} ${what}${n === 1 ? '' : 's'}`]);

/** Describes the retained items for people. Returns undefined if the source shows everything that is stored. */
export const keptInWords = ({ rows, values, attachments }: Beside): string | undefined => {
  const parts = [...count(rows, 'row'), ...count(values, 'value'), ...count(attachments, 'attachment')];
  return parts.length === 0 ? undefined : parts.join(', ');
};
