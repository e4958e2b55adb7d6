/**
 * A page index as bytes: the number of its form, then digits. Days are told once for all their blocks, of a cut point no
 * more than tells it from the row before, and of the first block of a day nothing: half a byte for each facet
 * combination and some two more, so that blocks may be small and a month of 8,000 rows is read for one unit.
 */

import { DigitReader, DigitWriter } from './packed-digits.ts';
import { dayNumber, dayOfNumber } from './packed-keys.ts';
import { daySeekKey, seekKeyOf, seekKeyParts } from './row-keys.ts';

export interface Block {
  /** Santiago event day, `0000-00-00` for rows without one. */
  day: string;
  /** Where a descending read begins with the block's first (newest) row: not before it, and after the row before. */
  sortKey: string;
  /** Rows by position in `facets`. */
  counts: readonly number[];
}

export interface PeriodIndex {
  /** Facet combinations that occur, sorted. */
  facets: readonly string[];
  /** Newest first. */
  blocks: readonly Block[];
}

const FORM = 2;

const instantMs = (instant: string): number => (instant === '' ? 0 : Date.parse(instant));
/** 0 stands for "no instant": no source reports one at the epoch itself. */
const instantOfMs = (ms: number): string | null => (ms === 0 ? null : new Date(ms).toISOString());

export const packIndex = ({ facets, blocks }: PeriodIndex): Uint8Array => {
  const days = [...Map.groupBy(blocks, ({ day }) => day)].map(([day, [first, ...others]]) => ({
    day,
    first: first!,
    others: others.map(({ sortKey, counts }) => ({ ...seekKeyParts(sortKey), counts })),
  }));
  const hasInstants = days.some(({ others }) => others.some(({ instant }) => instant !== ''));
  const digits = new DigitWriter()
    .number(facets.length)
    .number(hasInstants ? 1 : 0)
    .number(days.length);
  let beforeDay = 0;
  let beforeMs = 0;
  for (const { day, first, others } of days) {
    digits.difference(beforeDay - dayNumber(day)).number(1 + others.length);
    beforeDay = dayNumber(day);
    for (const count of first.counts) digits.number(count);
    for (const cut of others) {
      const ms = instantMs(cut.instant);
      if (hasInstants) digits.difference(beforeMs - ms);
      beforeMs = ms;
      digits.hex(cut.digits);
      for (const count of cut.counts) digits.number(count);
    }
  }
  return Buffer.concat([Buffer.of(FORM), digits.bytes()]);
};

const unpackCuts = (bytes: Uint8Array, facets: readonly string[]): PeriodIndex => {
  const digits = new DigitReader(bytes);
  if (digits.number() !== facets.length) throw new Error('page index of an unknown form');
  const hasInstants = digits.number() === 1;
  const blocks: Block[] = [];
  let day = 0;
  let ms = 0;
  let instant: string | null = null;
  for (let days = digits.number(); days > 0; days--) {
    day -= digits.difference();
    const text = dayOfNumber(day);
    const ofDay = digits.number();
    for (let at = 0; at < ofDay; at++) {
      let sortKey = daySeekKey(text);
      if (at > 0) {
        const less = hasInstants ? digits.difference() : 0;
        if (less !== 0) {
          ms -= less;
          instant = instantOfMs(ms);
        }
        sortKey = seekKeyOf(text, instant, digits.hex());
      }
      blocks.push({ day: text, sortKey, counts: facets.map(() => digits.number()) });
    }
  }
  return { facets, blocks };
};

export const unpackIndex = (bytes: Uint8Array, facets: readonly string[]): PeriodIndex => {
  if (bytes[0] === FORM) return unpackCuts(bytes.subarray(1), facets);
  throw new Error('page index of an unknown form');
};
