/** The shortest time that pieces of work take on this thread, measured in turns: a slow moment affects all of them. */

/** Each piece is repeated for this long in total, and its fastest batch counts, because the machine may be busy. */
const MEASURE_MS = 3_000;
/** The system counts a thread's time in steps of up to 4 ms, so rounds are measured in batches. */
const BATCH_MS = 200;

/** Milliseconds that this thread computed: other processes do not count. */
const computedMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

interface Batch {
  work: () => unknown;
  rounds: number;
}

const batchOf = async (work: () => unknown): Promise<Batch> => {
  // The first round is slow, because new code is compiled.
  await work();
  const startedMs = computedMs();
  await work();
  return { work, rounds: Math.max(1, Math.ceil(BATCH_MS / Math.max(0.01, computedMs() - startedMs))) };
};

const runBatch = async ({ work, rounds }: Batch): Promise<number> => {
  const startedMs = computedMs();
  for (let round = 0; round < rounds; round++) await work();
  return (computedMs() - startedMs) / rounds;
};

/** Milliseconds of one round of each piece. */
export const fastest = async <Name extends string>(
  works: Readonly<Record<Name, () => unknown>>,
): Promise<Record<Name, number>> => {
  const batches: [Name, Batch][] = [];
  for (const name of Object.keys(works) as Name[]) batches.push([name, await batchOf(works[name])]);
  const best = Object.fromEntries(batches.map(([name]) => [name, Number.POSITIVE_INFINITY])) as Record<Name, number>;
  const endMs = performance.now() + MEASURE_MS * batches.length;
  do {
    for (const [name, batch] of batches) best[name] = Math.min(best[name], await runBatch(batch));
  } while (performance.now() < endMs);
  return best;
};
