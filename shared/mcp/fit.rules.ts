/** Answers of bounded size: whole items from the first on, and a cursor for the others. Pure. */

export const countBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/**
 * How many of the items fit whole.
 * @param emptyBytes of the answer without any of them, its cursor included
 */
export const fitting = (items: readonly unknown[], emptyBytes: number, bytesMax: number): number => {
  let bytes = emptyBytes;
  for (const [at, item] of items.entries()) {
    bytes += countBytes(item) + (at === 0 ? 0 : ','.length);
    if (bytes > bytesMax) return at;
  }
  return items.length;
};
