/** A list of numbered entries and its last assigned number, in one partition. */

export interface NumberedList {
  last: Record<'pk' | 'sk', string>;
  entry: (n: number) => Record<'pk' | 'sk', string>;
  /** Range of the entries from this number on. */
  from: (n: number) => { pk: string; from: string; to: string };
}

/** Returns a number padded to the digits of the largest number, so that keys sort like numbers. */
export const sequenceKey = (n: number): string => String(n).padStart(16, '0');

export const numberedList = (pk: string): NumberedList => ({
  last: { pk, sk: 'LAST' },
  entry: (n) => ({ pk, sk: sequenceKey(n) }),
  from: (n) => ({ pk, from: sequenceKey(n), to: sequenceKey(Number.MAX_SAFE_INTEGER) }),
});
