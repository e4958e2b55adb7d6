/**
 * The position of a reader in the change feed (docs/data-model.md, "Changes"). For each scope, the position contains
 * either the sequence `c` up to which all changes were read, or an open round. A round consists of the changes after
 * `c` up to `upTo`, the newest sequence when the round began; removed rows come first. A position in a round stays
 * valid when the index changes, because a row that moves behind the position is newer than `upTo` and belongs to the
 * next round. Pure.
 */
import * as z from 'zod';
import { AppError } from '#shared/values/app-error.ts';
import { cursorParts, cursorText } from '#shared/values/cursor-text.ts';

/** This service never issued the cursor, or issued it for another connection or filter. */
export class CursorUnreadable extends AppError {}

/** The cursor was issued before the table was restored, so its sequences may now belong to different writes. */
export class CursorExpired extends AppError {}

/** The last row of a period that a round has read. Periods, partitions and sort keys ascend. */
export interface RowPlace {
  period: string;
  facets: string;
  sortKey: string;
}

export type Phase =
  /** `after`: sort key of the last tombstone sent; null before the first. */
  | { kind: 'deleted'; after: string | null }
  /** `after`: the last row read; null before the first. */
  | { kind: 'rows'; after: RowPlace | null };

export interface ChangeRound {
  upTo: number;
  phase: Phase;
}

export interface ScopePosition {
  /** All changes up to this sequence were sent. */
  c: number;
  /** Null if no round is open. */
  round: ChangeRound | null;
}

export interface CursorOwner {
  connectionId: string;
  /** The only scope to read; null for all scopes of the connection. */
  filter: string | null;
  /** Epoch of the table. Sequences of another epoch are not comparable. */
  epoch: string;
}

/** Position by scope. A scope without an entry was not read yet. */
export type Positions = ReadonlyMap<string, ScopePosition>;

export const BEGINNING: ScopePosition = { c: 0, round: null };

const VERSION = 1;
const sequence = z.int().min(0);
/**
 * Sort keys consist of days, instants and ids, so they are ASCII and shorter than 100 characters. DynamoDB accepts no
 * key condition above 1,024 bytes (AWS documentation).
 */
const sortKey = z.string().regex(/^[\x20-\x7e]{0,512}$/);
/** A round must contain at least one sequence, because the table rejects an empty range. */
const isRound = ([c, upTo]: readonly [number, number, ...unknown[]]): boolean => c < upTo;
const PositionSchema = z.union([
  sequence,
  z.tuple([sequence, sequence, z.literal('d'), sortKey.nullable()]).refine(isRound),
  z.tuple([sequence, sequence, z.literal('r'), z.tuple([z.string(), z.string(), sortKey]).nullable()]).refine(isRound),
]);
const CursorSchema = z.tuple([
  z.literal(VERSION),
  z.string(),
  z.string(),
  z.string().nullable(),
  z.record(z.string(), PositionSchema),
]);
type PackedPosition = z.infer<typeof PositionSchema>;

const packPosition = ({ c, round }: ScopePosition): PackedPosition => {
  if (round === null) return c;
  const { upTo, phase } = round;
  if (phase.kind === 'deleted') return [c, upTo, 'd', phase.after];
  return [c, upTo, 'r', phase.after && [phase.after.period, phase.after.facets, phase.after.sortKey]];
};

const unpackPosition = (packed: PackedPosition): ScopePosition => {
  if (typeof packed === 'number') return { c: packed, round: null };
  const [c, upTo, kind, after] = packed;
  if (kind === 'd') return { c, round: { upTo, phase: { kind: 'deleted', after } } };
  const place = after && { period: after[0], facets: after[1], sortKey: after[2] };
  return { c, round: { upTo, phase: { kind: 'rows', after: place } } };
};

export const encodeCursor = ({ connectionId, filter, epoch }: CursorOwner, positions: Positions): string => {
  const packed = Object.fromEntries([...positions].map(([scope, position]) => [scope, packPosition(position)]));
  return cursorText([VERSION, epoch, connectionId, filter, packed]);
};

/**
 * Returns the positions by scope that a cursor contains.
 * @throws CursorUnreadable
 * @throws CursorExpired
 */
export const decodeCursor = (
  cursor: string,
  { connectionId, filter, epoch }: CursorOwner,
): Map<string, ScopePosition> => {
  const judged = CursorSchema.safeParse(cursorParts(cursor));
  if (!judged.success) throw new CursorUnreadable('is not a cursor of this path');
  const [, itsEpoch, itsConnection, itsFilter, packed] = judged.data;
  if (itsConnection !== connectionId) throw new CursorUnreadable('is a cursor of another connection');
  if (itsFilter !== filter) throw new CursorUnreadable('is a cursor of another scope');
  if (itsEpoch !== epoch) throw new CursorExpired();
  return new Map(Object.entries(packed).map(([scope, position]) => [scope, unpackPosition(position)]));
};
