/** Answers of limited size: whole items from the first on, and a cursor for the rest. Pure. */

export const countBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/**
 * Number of whole items that fit.
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
