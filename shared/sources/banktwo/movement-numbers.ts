/**
 * The bank's number tells movements of an account and day apart, as far as we know (banks.md §3.2, ASSUMED). Should a few
 * different ones share theirs, none must be lost: the further ones get a number of their own, counted oldest first.
 */
import type { PageMovement } from './movements-page.ts';

export interface PlacedMovement extends PageMovement {
  answerKey: string;
}

export interface NumberedMovements {
  movements: PlacedMovement[];
  /** How many got a number of their own. */
  shared: number;
}

/** `movements`: each once, newest first; and so they stay. */
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
