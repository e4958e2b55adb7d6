/**
 * The form that page indexes were stored in first: blocks of fixed width, each with the whole key of its first row. The
 * next sync or repair of a period writes the newer one; until then this one is read.
 */

import { DAY_BYTES, ID_BYTES, INSTANT_BYTES, readDay, readId, readInstant } from './packed-keys.ts';
import type { Block, PeriodIndex } from './page-index.ts';
import { rowSortKey } from './row-keys.ts';

export const WHOLE_KEYS = 1;
const HEAD_BYTES = 8;

export const unpackWholeKeys = (packed: Buffer, facets: readonly string[]): PeriodIndex => {
  if (packed.readUInt16LE(2) !== facets.length) throw new Error('page index of an unknown form');
  const hasInstants = packed.readUInt8(1) === 1;
  const width = DAY_BYTES + (hasInstants ? INSTANT_BYTES : 0) + ID_BYTES + facets.length;
  const blocks = Array.from({ length: packed.readUInt32BE(4) }, (_, n): Block => {
    let at = HEAD_BYTES + n * width;
    const day = readDay(packed, at);
    at += DAY_BYTES;
    const instant = hasInstants ? readInstant(packed, at) : null;
    if (hasInstants) at += INSTANT_BYTES;
    const rowId = readId(packed, at);
    at += ID_BYTES;
    return { day, sortKey: rowSortKey(day, instant, rowId), counts: [...packed.subarray(at, at + facets.length)] };
  });
  return { facets, blocks };
};
