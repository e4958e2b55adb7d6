/**
 * Encodes a page index as bytes: its columns as deflated JSON. Seek keys are short because ids are random, so a block
 * takes about 4 bytes.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { NO_DAY } from './row-keys.ts';

export interface Block {
  /** Day of the event in Santiago; `0000-00-00` for rows without an event day. */
  day: string;
  /**
   * A descending read from this key begins with the newest row of the block. The key is equal to or above that row's
   * key, and below the keys of the rows of the previous block.
   */
  sortKey: string;
  /** Number of rows in the block for each entry of `facets`, in the same order. */
  counts: readonly number[];
}

export interface PeriodIndex {
  /** Facet combinations that have rows, sorted. */
  facets: readonly string[];
  /** Blocks, newest first. */
  blocks: readonly Block[];
}

/**
 * The first column is the sort keys of the blocks. Each further column is the block counts of one facet combination.
 */
export type IndexColumns = readonly [sortKeys: readonly string[], ...counts: (readonly number[])[]];

export const toColumns = ({ facets, blocks }: PeriodIndex): IndexColumns => [
  blocks.map(({ sortKey }) => sortKey),
  ...facets.map((_, at) => blocks.map(({ counts }) => counts[at]!)),
];

export const fromColumns = ([sortKeys, ...columns]: IndexColumns, facets: readonly string[]): PeriodIndex => {
  if (columns.length !== facets.length) throw new Error('page index with an unknown format');
  const blocks = sortKeys.map((sortKey, n) => {
    const day = sortKey.slice(0, NO_DAY.length);
    return { day, sortKey, counts: columns.map((counts) => counts[n]!) };
  });
  return { facets, blocks };
};

export const packJson = (value: unknown): Uint8Array => deflateRawSync(JSON.stringify(value));
export const unpackJson = (bytes: Uint8Array): unknown => JSON.parse(inflateRawSync(bytes).toString('utf8'));

export const packIndex = (index: PeriodIndex): Uint8Array => packJson(toColumns(index));

export const unpackIndex = (bytes: Uint8Array, facets: readonly string[]): PeriodIndex =>
  fromColumns(unpackJson(bytes) as IndexColumns, facets);
