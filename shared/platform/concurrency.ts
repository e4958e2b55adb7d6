/** Lists in chunks, and work over a list a few at a time. */

export const chunks = <T>(list: readonly T[], size: number): T[][] => {
  const result: T[][] = [];
  for (let i = 0; i < list.length; i += size) result.push(list.slice(i, i + size));
  return result;
};

/**
 * Runs `work` over the list with at most `width` in flight. After a fault nothing more is begun, and it is thrown when
 * all that was in flight has ended: whoever gives a lease back on it must not have writes of his own still under way.
 */
export const forEachConcurrent = async <T>(
  list: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  let next = 0;
  const faults: unknown[] = [];
  const lane = async (): Promise<void> => {
    while (next < list.length && faults.length === 0) {
      try {
        await work(list[next++]!);
      } catch (error) {
        faults.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, list.length) }, lane));
  if (faults.length > 0) throw faults[0];
};
