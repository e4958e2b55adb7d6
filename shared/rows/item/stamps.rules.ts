/**
 * Computes when a row was announced in the change feed (docs/data-model.md, "Changes"). Each row has the sequence of
 * the write that put it. For each block, the index has the newest sequence at which a row of the block was announced.
 * Pure.
 */

import { mustGet } from '#shared/values/must-get.ts';
import type { PeriodIndex } from './page-index-codec.ts';
import { packJson, unpackJson } from './page-index-codec.ts';

/**
 * Writes that did not store the index. The key is the sequence of such a write, and the value is the sequence of the
 * later write that stored the index.
 */
export type Late = ReadonlyMap<number, number>;

/** Sequences of the last and the first write of a row. */
export interface Sequenced {
  sequence: number;
  createdSequence: number;
}

/** Returns the sequence at which readers see the rows of the write `sequence`. */
export const announced = (late: Late, sequence: number): number => late.get(sequence) ?? sequence;

export interface Stamps {
  late: Late;
  /** Number of blocks that share a stamp. More than 1 if one stamp per block would take too many bytes. */
  width: number;
  /** The newest announcement of each group of `width` blocks, in index order. */
  newest: readonly number[];
}

export const NO_STAMPS: Stamps = { late: new Map(), width: 1, newest: [] };

/**
 * Returns the stamp of a block. A period that was stored before stamps existed has no stamps, so its rows count as
 * sequence 1.
 */
export const findStamp = ({ newest, width }: Stamps, block: number): number => newest[Math.floor(block / width)] ?? 1;

/**
 * Returns the writes that were announced by a later write, after the index was stored with the sequence `storedAt`.
 *
 * @param unannounced row writes whose index was never stored, or whose rows may have arrived late
 * @param rows rows of the period as stored now; a write that put none of these rows is left out
 */
export const lateAfter = (
  before: Late,
  unannounced: Iterable<number>,
  storedAt: number,
  rows: readonly Sequenced[],
): Late => {
  const all = new Map(before);
  for (const sequence of unannounced) if (sequence !== storedAt) all.set(sequence, storedAt);
  if (all.size === 0) return all;
  const carried = new Set<number>();
  for (const { sequence, createdSequence } of rows) carried.add(sequence).add(createdSequence);
  return new Map([...all].filter(([sequence]) => carried.has(sequence)));
};

/**
 * Returns the stamp of each block: the newest sequence at which one of its rows was announced.
 * @param rows in the order of the index
 */
const stampsOf = ({ blocks }: PeriodIndex, rows: readonly Sequenced[], late: Late): number[] => {
  let at = 0;
  return blocks.map(({ counts }) => {
    let newest = 0;
    for (let left = counts.reduce((sum, count) => sum + count, 0); left > 0; left--)
      newest = Math.max(newest, announced(late, rows[at++]!.sequence));
    return newest;
  });
};

/**
 * Columns of the packed stamps: the late writes, the width, the distinct stamps, and for each block the position of its
 * stamp among the distinct stamps. These columns deflate well.
 */
type StampColumns = readonly [late: [number, number][], width: number, values: number[], at: number[]];

export const packStamps = ({ late, width, newest }: Stamps): Uint8Array => {
  const values = [...new Set(newest)].sort((a, b) => a - b);
  const position = new Map(values.map((value, at) => [value, at]));
  const columns: StampColumns = [[...late], width, values, newest.map((stamp) => mustGet(position, stamp))];
  return packJson(columns);
};

export const unpackStamps = (bytes: Uint8Array): Stamps => {
  const [late, width, values, at] = unpackJson(bytes) as StampColumns;
  return { late: new Map(late), width, newest: at.map((position) => values[position]!) };
};

const inPairs = ({ late, width, newest }: Stamps): Stamps => ({
  late,
  width: width * 2,
  newest: newest.flatMap((stamp, at) => (at % 2 === 0 ? [Math.max(stamp, newest[at + 1] ?? 0)] : [])),
});

/**
 * Packs the stamps of an index. If the packed stamps exceed `bytesMax`, more blocks share a stamp.
 *
 * @param rows in the order of the index
 * @throws RangeError if the late writes alone exceed `bytesMax`
 */
export const buildFittingStamps = (
  index: PeriodIndex,
  rows: readonly Sequenced[],
  late: Late,
  bytesMax: number,
): Uint8Array => {
  for (let stamps: Stamps = { late, width: 1, newest: stampsOf(index, rows, late) }; ; stamps = inPairs(stamps)) {
    const packed = packStamps(stamps);
    if (packed.byteLength <= bytesMax) return packed;
    if (stamps.newest.length <= 1) throw new RangeError(`${late.size} late writes are beyond what one index holds`);
  }
};
