import type { VersionConflict } from './app-error.ts';

type ConflictClass = abstract new (...args: never[]) => VersionConflict;

/**
 * Repeats `attempt` while another writer is faster. `attempt` reads, decides and writes; it receives the number of the
 * attempt, starting at 1.
 *
 * @throws the conflict of the last attempt, and every other error at once
 */
export const retryOnConflict = async <Result>(
  conflicts: readonly ConflictClass[],
  attemptsMax: number,
  attempt: (n: number) => Promise<Result>,
): Promise<Result> => {
  for (let n = 1; ; n++) {
    try {
      return await attempt(n);
    } catch (error) {
      if (!conflicts.some((conflict) => error instanceof conflict) || n >= attemptsMax) throw error;
    }
  }
};
