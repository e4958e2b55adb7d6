/**
 * Limits the size of answers: an answer has whole items, beginning with the first, and a cursor for the remaining
 * items. Pure.
 */

export const countBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/**
 * Returns the number of whole items that fit.
 * @param emptyBytes size of the answer without items, including its cursor
 */
export const fitting = (items: readonly unknown[], emptyBytes: number, bytesMax: number): number => {
  let bytes = emptyBytes;
  for (const [at, item] of items.entries()) {
    bytes += countBytes(item) + (at === 0 ? 0 : ','.length);
    if (bytes > bytesMax) return at;
  }
  return items.length;
};
