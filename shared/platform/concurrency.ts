/** Splits lists into chunks, and processes lists with limited concurrency. */

export const chunks = <T>(list: readonly T[], size: number): T[][] => {
  const result: T[][] = [];
  for (let i = 0; i < list.length; i += size) result.push(list.slice(i, i + size));
  return result;
};

/**
 * Runs `work` over the list with at most `width` calls in flight. After an error no new call begins, and the error is
 * thrown once all calls in flight have ended: a caller that then releases a lease must not have writes in flight.
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

/** Returns the results of `work` in the list's order, with at most `width` calls in flight, as `forEachConcurrent`. */
export const mapConcurrent = async <T, R>(
  list: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> => {
  const results: R[] = [];
  await forEachConcurrent([...list.entries()], width, async ([at, item]) => {
    results[at] = await work(item);
  });
  return results;
};
