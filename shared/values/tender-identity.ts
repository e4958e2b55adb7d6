/**
 * Recognizes items of a tender (documents, questions, offers) that a reading shows under another key: an identity may
 * depend on a text that came damaged, on the position among equal items, or on a number that the portal changed. Pure.
 */
import { isDamagedForm, restoreTexts } from './damaged-forms.ts';

export type TenderRow = Record<string, unknown>;

export const plain = (text: unknown): string | null =>
  typeof text === 'string' && text !== '' ? text.normalize('NFC').replaceAll(/\s+/g, ' ').trim().toLowerCase() : null;

/** True if the stored value is empty or equals the shown value. */
export const saysNoOther = (stored: unknown, shown: unknown): boolean =>
  plain(stored) === null || plain(stored) === plain(shown);

/** True if both texts are the same text, or the shown text is the stored text after damage. */
const isSameText = (stored: unknown, shown: unknown): boolean =>
  plain(stored) === plain(shown) ||
  (typeof stored === 'string' && typeof shown === 'string' && isDamagedForm(shown, stored));

/** Values of a document that only its locator stores. */
interface LocatedValues {
  type: unknown;
  date: unknown;
  size: unknown;
}

/** Returns the type from the second and the date from the last column that the locator stores, and the shown size. */
const locatedValues = ({ locator }: TenderRow): LocatedValues => {
  const { shown, size = null } = (locator ?? {}) as { shown?: unknown; size?: unknown };
  try {
    const parts: unknown = JSON.parse(String(shown));
    if (Array.isArray(parts) && parts.length >= 3) return { type: parts[1], date: parts.at(-1), size };
  } catch {
    // A locator of an earlier version has no columns.
  }
  return { type: null, date: null, size };
};

/** True for a stored copy of a shown document. Documents of different sizes are different documents. */
export const isDocumentCopy = (stored: TenderRow, shown: TenderRow): boolean => {
  const [own, other] = [locatedValues(stored), locatedValues(shown)];
  return (
    stored.origen === shown.origen &&
    saysNoOther(stored.nombre, shown.nombre) &&
    saysNoOther(own.type, other.type) &&
    saysNoOther(own.date, other.date) &&
    saysNoOther(own.size, other.size)
  );
};

/** The letters that survive any damage. The locator's columns are in lower case, so their damage cannot be decoded. */
const undamaged = (text: unknown): string | null => plain(text)?.replaceAll(/[^\x20-\x3E\x40-\x7E]/g, '') ?? null;

export const isSameDocument = (stored: TenderRow, shown: TenderRow): boolean => {
  const [own, other] = [locatedValues(stored), locatedValues(shown)];
  return (
    stored.origen === shown.origen &&
    isSameText(stored.nombre, shown.nombre) &&
    undamaged(own.type) === undamaged(other.type) &&
    plain(own.date) === plain(other.date) &&
    plain(own.size) === plain(other.size)
  );
};

export const isSameQuestion = (stored: TenderRow, shown: TenderRow): boolean =>
  plain(stored.numero) !== null &&
  plain(stored.pregunta) !== null &&
  stored.numero === shown.numero &&
  isSameText(stored.pregunta, shown.pregunta);

/** Returns a question with id and number exchanged; undefined for a question without a number. */
export const exchangeNumbers = (stored: TenderRow): TenderRow | undefined =>
  plain(stored.numero) === null ? undefined : { ...stored, pregunta_id: stored.numero, numero: stored.pregunta_id };

export const isSameOffer = (stored: TenderRow, shown: TenderRow): boolean =>
  stored.oferente_rut === shown.oferente_rut && isSameText(stored.nombre_oferta, shown.nombre_oferta);

interface KeyedItem {
  key: string;
  row: TenderRow;
}

/** Orders equal items by the number at the end of their keys: the first one has no number. */
const byOrdinal = (a: KeyedItem, b: KeyedItem): number => a.key.length - b.key.length || (a.key < b.key ? -1 : 1);

/** How the items of one list are recognized. */
export interface Recognition {
  /** Fields from which the key is derived. */
  fields: readonly string[];
  keyOf(row: TenderRow): string;
  isSame(stored: TenderRow, shown: TenderRow): boolean;
}

/**
 * Returns the key of each shown item. An item that is the same as a stored item gets the key of the stored item. If
 * another item takes an item's key, the item gets a key that is free for this reason.
 */
const recognizeKeys = (
  shown: readonly KeyedItem[],
  stored: readonly KeyedItem[],
  isSame: Recognition['isSame'],
): string[] => {
  const open = new Map(stored.toSorted(byOrdinal).map(({ key, row }) => [key, row]));
  const take = (key: string): string => {
    open.delete(key);
    return key;
  };
  const own = shown.map(({ key, row }) => {
    const before = open.get(key);
    return before && isSame(before, row) ? take(key) : undefined;
  });
  const found = shown.map(({ row }, at) => {
    if (own[at] !== undefined) return own[at];
    const known = [...open].find(([, before]) => isSame(before, row));
    return known && take(known[0]);
  });
  const taken = new Set(found);
  const kept = new Set(shown.filter((_, at) => found[at] === undefined).map(({ key }) => key));
  const free = [...new Set(shown.map(({ key }) => key))].filter((key) => !taken.has(key) && !kept.has(key));
  return shown.map(({ key }, at) => found[at] ?? (taken.has(key) ? (free.shift() ?? key) : key));
};

/** How the attachments of an offer are recognized. */
const ATTACHMENTS: Recognition = {
  fields: ['documento_id'],
  keyOf: ({ documento_id: id }) => String(id),
  isSame: isSameDocument,
};

const pick = (row: unknown, fields: readonly string[]): TenderRow =>
  Object.fromEntries(Object.entries(row ?? {}).filter(([field]) => fields.includes(field)));

const columns = ({ locator }: TenderRow): unknown => (locator as TenderRow | undefined)?.shown;

const restoreItem = (shown: TenderRow, before: TenderRow): TenderRow => {
  const { locator, documentos, ...values } = shown;
  const row: TenderRow = { ...shown, ...restoreTexts(values, before) };
  if (locator && isSameDocument(before, shown) && undamaged(columns(shown)) === undamaged(columns(before)))
    row.locator = { ...locator, ...pick(before.locator, ['nombre', 'shown']) };
  if (Array.isArray(documentos) && Array.isArray(before.documentos))
    row.documentos = recognizeItems(documentos, before.documentos, ATTACHMENTS);
  return row;
};

/**
 * Returns the shown items under the keys of the stored items that they match, and with stored texts instead of their
 * damaged forms.
 */
export const recognizeItems = (
  shown: readonly TenderRow[],
  stored: readonly TenderRow[],
  { fields, keyOf, isSame }: Recognition,
): TenderRow[] => {
  if (stored.length === 0) return [...shown];
  const keyed = (rows: readonly TenderRow[]): KeyedItem[] => rows.map((row) => ({ key: keyOf(row), row }));
  const byKey = (rows: readonly TenderRow[]) => new Map(keyed(rows).map(({ key, row }) => [key, row]));
  const [before, own] = [byKey(stored), byKey(shown)];
  const keys = recognizeKeys(keyed(shown), keyed(stored), isSame);
  return shown.map((row, at) => {
    const key = keys[at] ?? keyOf(row);
    const known = before.get(key);
    const rekeyed = keyOf(row) === key ? row : { ...row, ...pick(known ?? own.get(key), fields) };
    return known ? restoreItem(rekeyed, known) : rekeyed;
  });
};
