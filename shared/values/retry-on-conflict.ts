import type { VersionConflict } from './app-error.ts';

type ConflictClass = abstract new (...args: never[]) => VersionConflict;

/**
 * Attempts again while another writer is quicker. `attempt` reads, decides and writes; it is given its number, from 1.
 * Throws the conflict of the last attempt, and every other error at once.
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
