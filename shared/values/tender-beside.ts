/**
 * A reading of a tender beside what is stored of it: what is stored knows better (decisions.md §5). A value, an
 * attachment or a row that is not shown any more stays and is told. Only a copy goes: what an odd answer left under
 * another identity, while a whole reading shows the same thing under its own. Pure.
 */
type TenderRow = Record<string, unknown>;

/** What the shown and the stored came to. */
export interface Beside {
  /** Shown rows and attachments that were not stored. */
  fresh: number;
  /** Stored rows, values and attachments that the source no longer shows. */
  rows: number;
  values: number;
  attachments: number;
  /** Texts that never change, and did. */
  changed: number;
  /** Copies that were removed. */
  copies: number;
  /** Ids of the documents that went with them. */
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
  /** Null until the source fills them, and never null again. */
  lasting: readonly string[];
  /** Never another text. */
  fixed: readonly string[];
  /** Is a stored row that is not shown the same thing as a shown one, left by an odd answer? */
  isCopy(stored: TenderRow, shown: TenderRow): boolean;
}

const plain = (text: unknown): string | null =>
  typeof text === 'string' && text !== '' ? text.normalize('NFC').replaceAll(/\s+/g, ' ').trim().toLowerCase() : null;

/** Nothing in it contradicts the other. */
export const saysNoOther = (stored: unknown, shown: unknown): boolean =>
  plain(stored) === null || plain(stored) === plain(shown);

/** Type and date, as the locator remembers them: the last of it is the date, whatever else was shown then. */
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

/** The ficha shows times to the second, the API to the millisecond: the stored one says more of the same time. */
const isCoarser = (stored: unknown, shown: unknown): boolean =>
  typeof stored === 'string' &&
  typeof shown === 'string' &&
  TO_THE_SECOND.test(shown) &&
  stored !== shown &&
  stored.replace(/\.\d{3}Z$/, '.000Z') === shown;

/** How a reading is compared, and what comes of it. */
export interface Comparison {
  rules: TenderRules;
  /** Everything of the reading could be read and nothing is in doubt. */
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

/** `parsed` as the parser gave it: undefined there is "not told". `id` and what follows from it are the shown row's. */
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

/** Stored rows that the reading does not show: those that are copies of what it shows. The others stay, and are told. */
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

/** Exactly what is stored was shown. */
export const isAsStored = ({ fresh, rows, attachments, copies }: Beside): boolean =>
  fresh + rows + attachments + copies === 0;

const count = (n: number, what: string): string[] => (n === 0 ? [] : [`${n} ${what}${n === 1 ? '' : 's'}`]);

/** In words what is kept; undefined where the source shows everything that is stored. */
export const keptInWords = ({ rows, values, attachments }: Beside): string | undefined => {
  const parts = [...count(rows, 'row'), ...count(values, 'value'), ...count(attachments, 'attachment')];
  return parts.length === 0 ? undefined : parts.join(', ');
};
