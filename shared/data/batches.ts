/** Lists in chunks, and work over a list a few at a time. */

export const chunks = <T>(list: readonly T[], size: number): T[][] => {
  const result: T[][] = [];
  for (let i = 0; i < list.length; i += size) result.push(list.slice(i, i + size));
  return result;
};

/** Runs `work` over the list with at most `width` in flight. */
export const inParallel = async <T>(
  list: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < list.length) await work(list[next++]!);
  };
  await Promise.all(Array.from({ length: Math.min(width, list.length) }, lane));
};
