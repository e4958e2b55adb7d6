/**
 * Compares a reading of a tender with the stored data. Stored data counts more than a single answer (decisions.md §5):
 * a value, attachment or row that is no longer shown stays and is reported. Only copies are removed. A copy is an item
 * that a faulty answer stored under a wrong identity, while a complete reading shows the same item under its right
 * identity. Pure.
 */
type TenderRow = Record<string, unknown>;

/** Result of comparing the shown data with the stored data. */
export interface Beside {
  /** Number of shown rows and attachments that were not stored. */
  fresh: number;
  /** Numbers of stored rows, values and attachments that the source no longer shows. */
  rows: number;
  values: number;
  attachments: number;
  /** Number of texts that must not change but did. */
  changed: number;
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
  changed: 0,
  copies: 0,
  documents: [],
});

export interface TenderRules {
  /** Fields that are null until the source fills them, and that never become null again. */
  lasting: readonly string[];
  /** Fields whose text never changes. */
  fixed: readonly string[];
  /**
   * True if a stored row that is not shown is the same item as a shown row. In this case a faulty answer stored the
   * row.
   */
  isCopy(stored: TenderRow, shown: TenderRow): boolean;
}

const plain = (text: unknown): string | null =>
  typeof text === 'string' && text !== '' ? text.normalize('NFC').replaceAll(/\s+/g, ' ').trim().toLowerCase() : null;

/** True if the stored value is empty or equals the shown value. */
export const saysNoOther = (stored: unknown, shown: unknown): boolean =>
  plain(stored) === null || plain(stored) === plain(shown);

/**
 * Returns type and date from the columns that the locator stores. The type is the second column, the date the last
 * column.
 */
const shownIn = ({ locator }: TenderRow): unknown[] => {
  const { shown } = (locator ?? {}) as { shown?: unknown };
  try {
    const parts: unknown = JSON.parse(String(shown));
    return Array.isArray(parts) && parts.length >= 3 ? [parts[1], parts.at(-1)] : [null, null];
  } catch {
    return [null, null];
  }
};

export const isDocumentCopy = (stored: TenderRow, shown: TenderRow): boolean => {
  const [type, date] = shownIn(stored);
  const [shownType, shownDate] = shownIn(shown);
  return (
    stored.origen === shown.origen &&
    saysNoOther(stored.nombre, shown.nombre) &&
    saysNoOther(type, shownType) &&
    saysNoOther(date, shownDate)
  );
};

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
  const { lasting, fixed } = rules;
  const kept: TenderRow = {};
  for (const field of Object.keys(shown))
    if ((parsed[field] === undefined && field in stored) || isCoarser(stored[field], parsed[field]))
      kept[field] = stored[field];
  for (const field of lasting) {
    if (parsed[field] !== null || (stored[field] ?? null) === null) continue;
    kept[field] = stored[field];
    beside.values++;
  }
  for (const field of fixed)
    if ((parsed[field] ?? null) !== null && !saysNoOther(stored[field], parsed[field])) beside.changed++;
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

/** True if the reading showed exactly the stored data. */
export const isAsStored = ({ fresh, rows, attachments, copies }: Beside): boolean =>
  fresh + rows + attachments + copies === 0;

const count = (n: number, what: string): string[] => (n === 0 ? [] : [`${n} ${what}${n === 1 ? '' : 's'}`]);

/** Describes the retained items for people. Returns undefined if the source shows everything that is stored. */
export const keptInWords = ({ rows, values, attachments }: Beside): string | undefined => {
  const parts = [...count(rows, 'row'), ...count(values, 'value'), ...count(attachments, 'attachment')];
  return parts.length === 0 ? undefined : parts.join(', ');
};
