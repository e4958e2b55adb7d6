/**
 * How far a reader of changes came (docs/data-model.md, "Changes"). Per scope either the sequence `c` up to which
 * everything was read, or an open round: the changes after `c`, up to what was the newest sequence `upTo` when it began,
 * removed rows first. A place in a round is valid in every later index: what comes to lie behind it is newer than `upTo`,
 * and belongs to the next round. Pure.
 */
import * as z from 'zod';
import { AppError } from '#shared/values/app-error.ts';
import { cursorParts, cursorText } from '#shared/values/cursor-text.ts';

/** A cursor that this service never gave, or gave for another connection or filter. */
export class CursorUnreadable extends AppError {}

/** A cursor of before the table was restored: its sequences may be those of other writes now. */
export class CursorExpired extends AppError {}

/** After which row of a period a round goes on; periods, partitions and sort keys ascend. */
export interface RowPlace {
  period: string;
  facets: string;
  sortKey: string;
}

export type Phase =
  /** `after`: sort key of the last tombstone that was told; null: from the first. */
  | { kind: 'deleted'; after: string | null }
  /** `after`: the last row that was looked at; null: from the first. */
  | { kind: 'rows'; after: RowPlace | null };

export interface ChangeRound {
  upTo: number;
  phase: Phase;
}

export interface ScopePosition {
  /** Every change up to this sequence was told. */
  c: number;
  /** Null: no round is open. */
  round: ChangeRound | null;
}

export interface CursorOwner {
  connectionId: string;
  /** Name of the scope that is read alone; null: all of the connection's. */
  filter: string | null;
  /** Of the table: sequences of another one say nothing. */
  epoch: string;
}

/** Scope → how far; a scope that is not named was not read yet. */
export type Positions = ReadonlyMap<string, ScopePosition>;

export const BEGINNING: ScopePosition = { c: 0, round: null };

const VERSION = 1;
const sequence = z.int().min(0);
/** Days, instants, ids: less than 100 characters, ASCII all. The table takes no bound above 1,024 bytes (AWS's documents). */
const sortKey = z.string().regex(/^[\x20-\x7e]{0,512}$/);
/** A round has something to tell: a range of none is an error of the table. */
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

/** @throws CursorUnreadable, CursorExpired */
export const decodeCursor = (
  cursor: string,
  { connectionId, filter, epoch }: CursorOwner,
): Map<string, ScopePosition> => {
  const judged = CursorSchema.safeParse(cursorParts(cursor));
  if (!judged.success) throw new CursorUnreadable('is no cursor of this service');
  const [, itsEpoch, itsConnection, itsFilter, packed] = judged.data;
  if (itsConnection !== connectionId) throw new CursorUnreadable('is a cursor of another connection');
  if (itsFilter !== filter) throw new CursorUnreadable('is a cursor of another scope');
  if (itsEpoch !== epoch) throw new CursorExpired();
  return new Map(Object.entries(packed).map(([scope, position]) => [scope, unpackPosition(position)]));
};
