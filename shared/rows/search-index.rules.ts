/**
 * Search over the rows of a period (`q`, decisions.md §7): what is looked in, and its packed form. Rows are packed in
 * list order, column by column, so that a hit tells where its row is without reading it. Pure.
 */
import { createHash } from 'node:crypto';
import {
  bufferOf,
  DAY_BYTES,
  ID_BYTES,
  INSTANT_BYTES,
  readDay,
  readId,
  readInstant,
  writeDay,
  writeId,
  writeInstant,
} from './packed-keys.ts';
import type { IndexedRow } from './page-index.rules.ts';
import { rowSortKey, rowSortKeyParts } from './row-keys.ts';

const FIELD = '\u0001';
const ROW = '\n';
/** What is looked for may not reach over a field or row: a text that holds a control character is found nowhere. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is meant
const CONTROL = /[\u0000-\u001f]/g;

/** Lower case without accents: `Ñandú` → `nandu`. */
export const foldText = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

const bareRut = (text: string): string => foldText(text).replaceAll(/[.-]/g, '');

/** What `q` looks in: the texts as they are, the tax ids without dots and dash, these last. */
export const searchText = (texts: readonly (string | null)[], rut: string | null): string =>
  [...texts.map((text) => foldText(text ?? '')), bareRut(rut ?? '')]
    .map((text) => text.replaceAll(CONTROL, ' '))
    .join(FIELD);

/** Is it what `q` asks for? A tax id may be asked for with dots and dash too. */
export const searchFor = (q: string): ((find: string) => boolean) => {
  const text = foldText(q);
  if (text === '' || text.search(CONTROL) >= 0) return () => false;
  const rut = bareRut(q);
  if (rut === '' || rut === text) return (find) => find.includes(text);
  return (find) => find.includes(text) || find.slice(find.lastIndexOf(FIELD) + 1).includes(rut);
};

export interface SearchRow extends IndexedRow {
  find: string;
}

/** Part of a period's search index, before compression. */
export interface SearchPart {
  facets: readonly string[];
  /** One line per row. */
  text: string;
  /** Facet number, day, instant and id of each row, one column after the other. */
  places: Uint8Array;
}

const FACET_BYTES = 2;
const PLACE_BYTES = FACET_BYTES + DAY_BYTES + INSTANT_BYTES + ID_BYTES;

/** Where each column begins, the first at 0. */
const columns = (rows: number): [days: number, instants: number, ids: number] => [
  rows * FACET_BYTES,
  rows * (FACET_BYTES + DAY_BYTES),
  rows * (FACET_BYTES + DAY_BYTES + INSTANT_BYTES),
];

const packPart = (rows: readonly SearchRow[]): SearchPart => {
  const facets = [...new Set(rows.map((row) => row.facets))].sort();
  const places = Buffer.alloc(rows.length * PLACE_BYTES);
  const [days, instants, ids] = columns(rows.length);
  rows.forEach((row, n) => {
    const { day, instant, rowId } = rowSortKeyParts(row.sortKey);
    places.writeUInt16BE(facets.indexOf(row.facets), n * FACET_BYTES);
    writeDay(places, day, days + n * DAY_BYTES);
    writeInstant(places, instant, instants + n * INSTANT_BYTES);
    writeId(places, rowId, ids + n * ID_BYTES);
  });
  return { facets, text: rows.map(({ find }) => find).join(ROW), places };
};

/** Rows in any order → parts in list order, each at most so many bytes before compression. */
export const packSearch = (rows: readonly SearchRow[], bytesMax: number): SearchPart[] => {
  const parts: SearchRow[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const row of [...rows].sort((a, b) => (a.sortKey < b.sortKey ? 1 : -1))) {
    const rowBytes = PLACE_BYTES + Buffer.byteLength(row.find) + 1;
    if (bytes + rowBytes > bytesMax) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)!.push(row);
    bytes += rowBytes;
  }
  return parts.map(packPart);
};

/** The same for the same rows, whoever packs them. */
export const searchDigest = (parts: readonly SearchPart[]): string => {
  const hash = createHash('sha256');
  for (const { facets, text, places } of parts)
    hash
      .update(JSON.stringify([facets, text.length]))
      .update(text)
      .update(places);
  return hash.digest('base64url').slice(0, 22);
};

/** Rows of a part that are asked for, in list order. */
export const hitsOf = (
  part: SearchPart,
  isAskedFor: (find: string) => boolean,
  isWanted: (facets: string, day: string) => boolean,
): IndexedRow[] => {
  const places = bufferOf(part.places);
  const lines = part.text.split(ROW);
  const [days, instants, ids] = columns(lines.length);
  return lines.flatMap((find, n) => {
    if (!isAskedFor(find)) return [];
    const facets = part.facets[places.readUInt16BE(n * FACET_BYTES)]!;
    const day = readDay(places, days + n * DAY_BYTES);
    if (!isWanted(facets, day)) return [];
    const instant = readInstant(places, instants + n * INSTANT_BYTES);
    return [{ facets, sortKey: rowSortKey(day, instant, readId(places, ids + n * ID_BYTES)) }];
  });
};
