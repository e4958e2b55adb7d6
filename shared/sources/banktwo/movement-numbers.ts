/**
 * The bank's number is assumed to be unique within an account and day (banks.md §3.2, ASSUMED). If a few different
 * movements have the same number, the oldest keeps the number and each later movement gets a number of its own, so that
 * no movement is lost.
 */
import type { PageMovement } from './movements-page.ts';

export interface PlacedMovement extends PageMovement {
  answerKey: string;
}

export interface NumberedMovements {
  movements: PlacedMovement[];
  /** Number of movements that got a number of their own. */
  shared: number;
}

/**
 * Gives movements with a shared number numbers of their own. `movements` has no duplicates and is newest first; the
 * result has the same order.
 */
export const withOwnNumbers = (movements: readonly PlacedMovement[]): NumberedMovements => {
  const seen = new Map<string, number>();
  let shared = 0;
  const oldestFirst = movements.toReversed().map((movement) => {
    const { row } = movement;
    const key = JSON.stringify([row.fecha_contable, row.movement_number]);
    const at = seen.get(key) ?? 0;
    seen.set(key, at + 1);
    if (at === 0) return movement;
    shared++;
    return { ...movement, row: { ...row, movement_number: `${row.movement_number}#${at}` } };
  });
  return { movements: oldestFirst.reverse(), shared };
};
