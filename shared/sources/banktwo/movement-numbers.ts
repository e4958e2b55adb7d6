/**
 * The bank's number tells movements of an account and day apart, as far as we know (banks.md §3.2, ASSUMED). Should two
 * different ones share it, none must be lost: the further ones get a number of their own, counted oldest first.
 */
import { canonicalDecimal } from '#shared/domain/decimals.ts';
import type { Movement } from './movements-page.ts';

export interface PlacedMovement extends Movement {
  answerKey: string;
}

/** A movement that two pages show is one: what makes it another cannot change between them. */
const contentOf = ({ row, raw }: PlacedMovement): string =>
  JSON.stringify([canonicalDecimal(row.amount ?? '0'), row.fecha_movimiento, raw.operationTime ?? null]);

/** `movements` as read: newest first, and so they stay. */
export const withOwnNumbers = (movements: readonly PlacedMovement[]): PlacedMovement[] => {
  const byNumber = new Map<string, string[]>();
  const keyOf = ({ row }: PlacedMovement) => JSON.stringify([row.fecha_contable, row.movement_number]);
  for (const movement of movements.toReversed()) {
    const contents = byNumber.get(keyOf(movement)) ?? [];
    const content = contentOf(movement);
    if (!contents.includes(content)) contents.push(content);
    byNumber.set(keyOf(movement), contents);
  }
  return movements.map((movement) => {
    const at = byNumber.get(keyOf(movement))!.indexOf(contentOf(movement));
    if (at === 0) return movement;
    const { row } = movement;
    return { ...movement, row: { ...row, movement_number: `${row.movement_number}#${at}` } };
  });
};
