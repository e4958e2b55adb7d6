/**
 * Search over the rows of a period (`q`, decisions.md §7): the searched text and its packed form. Rows are packed in
 * list order, column by column, so a hit in the text gives the position of its row without reading the row. Pure.
 */
import { createHash } from 'node:crypto';
import { rowSortKey, rowSortKeyParts } from '#shared/rows/item/row-keys.ts';
import type { IndexedRow } from './page-index.rules.ts';

const ROW = '\n';

export interface SearchRow extends IndexedRow {
  searchText: string;
}

/** Part of a period's search index, before compression. */
export interface SearchPart {
  facets: readonly string[];
  /** The searched text, one line per row. */
  text: string;
  /** Facet number, day, instant and id of each row, column by column. */
  places: Uint8Array;
}

const FACET_BYTES = 2;
/** Decimal digits of the day, two per byte. */
const DAY_BYTES = 4;
/** An instant is in milliseconds. 0 means "no instant", because no source reports an instant at the epoch itself. */
const INSTANT_BYTES = 6;
const ID_BYTES = 16;
const PLACE_BYTES = FACET_BYTES + DAY_BYTES + INSTANT_BYTES + ID_BYTES;

const hexNumber = (value: number, bytes: number): string => value.toString(16).padStart(2 * bytes, '0');

const packPart = (rows: readonly SearchRow[]): SearchPart => {
  const facets = [...new Set(rows.map((row) => row.facets))].sort();
  const keys = rows.map(({ sortKey }) => rowSortKeyParts(sortKey));
  const hex = [
    ...rows.map((row) => hexNumber(facets.indexOf(row.facets), FACET_BYTES)),
    ...keys.map(({ day }) => day.replaceAll('-', '')),
    ...keys.map(({ instant }) => hexNumber(instant === '' ? 0 : Date.parse(instant), INSTANT_BYTES)),
    ...keys.map(({ rowId }) => rowId.replaceAll('-', '')),
  ];
  return { facets, text: rows.map((row) => row.searchText).join(ROW), places: Buffer.from(hex.join(''), 'hex') };
};

/** Packs rows in any order into parts in list order, each of at most `bytesMax` bytes before compression. */
export const packSearch = (rows: readonly SearchRow[], bytesMax: number): SearchPart[] => {
  const parts: SearchRow[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const row of [...rows].sort((a, b) => (a.sortKey < b.sortKey ? 1 : -1))) {
    const rowBytes = PLACE_BYTES + Buffer.byteLength(row.searchText) + 1;
    if (bytes + rowBytes > bytesMax) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)!.push(row);
    bytes += rowBytes;
  }
  return parts.map(packPart);
};

/** Returns the digest of the parts. Equal rows give the same digest, regardless of the worker that packs them. */
export const searchDigest = (parts: readonly SearchPart[]): string => {
  const hash = createHash('sha256');
  for (const { facets, text, places } of parts)
    hash
      .update(JSON.stringify([facets, text.length]))
      .update(text)
      .update(places);
  return hash.digest('base64url').slice(0, 22);
};

const dayOf = (hex: string): string => `${hex.slice(0, 4)}-${hex.slice(4, 6)}-${hex.slice(6)}`;
const idOf = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;

/** Returns the rows of a part that match the search, in list order. */
export const findHits = (
  part: SearchPart,
  matches: (text: string) => boolean,
  isWanted: (facets: string, day: string) => boolean,
): IndexedRow[] => {
  const { buffer, byteOffset, byteLength } = part.places;
  const places = Buffer.from(buffer, byteOffset, byteLength);
  const lines = part.text.split(ROW);
  const days = lines.length * FACET_BYTES;
  const instants = days + lines.length * DAY_BYTES;
  const ids = instants + lines.length * INSTANT_BYTES;
  return lines.flatMap((line, n) => {
    if (!matches(line)) return [];
    const facets = part.facets[places.readUIntBE(n * FACET_BYTES, FACET_BYTES)]!;
    const day = dayOf(places.toString('hex', days + n * DAY_BYTES, days + (n + 1) * DAY_BYTES));
    if (!isWanted(facets, day)) return [];
    const ms = places.readUIntBE(instants + n * INSTANT_BYTES, INSTANT_BYTES);
    const id = idOf(places.toString('hex', ids + n * ID_BYTES, ids + (n + 1) * ID_BYTES));
    return [{ facets, sortKey: rowSortKey(day, ms === 0 ? null : new Date(ms).toISOString(), id) }];
  });
};
