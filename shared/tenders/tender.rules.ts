/**
 * Tenders that several connections of an organization may have read. Decides which copy of a row is returned, and the
 * order of the rows. Pure.
 */

import { FINAL_STATES } from '#shared/scopes/tender.ts';
import type { FileProof } from '#shared/values/file-proof.ts';
import type { ConnectionId } from '#shared/values/ids.ts';
import { mustGet } from '#shared/values/must-get.ts';

/** One stored copy of a row. Copies of the same row in other connections have the same id. */
export interface TenderCopy {
  id: string;
  connectionId: ConnectionId;
  /** When the row was first stored. */
  createdAt: string;
}

/** When each connection last read this scope of the tender. */
export type Observations = ReadonlyMap<string, string>;

const newest = (a: string, b: string): number => (a < b ? 1 : a > b ? -1 : 0);

/**
 * Compares two readings: the newest comes first. For equal times the greater connection id comes first, so that the
 * order is always the same.
 */
export const byReading = (
  [aId, a]: readonly [ConnectionId, string],
  [bId, b]: readonly [ConnectionId, string],
): number => newest(a, b) || newest(aId, bId);

/**
 * Returns for each row the copy of the connection that read the row last, with the creation time of the oldest copy. So
 * another connection's first sync does not change the order. Copies of a connection without a finished reading are left
 * out.
 */
export const servedCopies = <C extends TenderCopy>(copies: readonly C[], observed: Observations): C[] => {
  const served = new Map<string, C>();
  for (const copy of copies) {
    const at = observed.get(copy.connectionId);
    if (at === undefined) continue;
    const other = served.get(copy.id);
    const createdAt = other && other.createdAt < copy.createdAt ? other.createdAt : copy.createdAt;
    const isNewer =
      !other || byReading([copy.connectionId, at], [other.connectionId, mustGet(observed, other.connectionId)]) < 0;
    served.set(copy.id, { ...(isNewer ? copy : other), createdAt });
  }
  return [...served.values()];
};

/** Order of documents and offers: newest creation first. */
export const byCreation = (a: TenderCopy, b: TenderCopy): number =>
  newest(a.createdAt, b.createdAt) || newest(a.id, b.id);

const NUMBER = /^\d{1,15}$/;
const numberOf = (numero: unknown): number =>
  typeof numero === 'string' && NUMBER.test(numero) ? Number(numero) : Number.POSITIVE_INFINITY;

/** Order of questions: by number, and questions without a number last. */
export const byNumber = (
  a: { id: string; row: Record<string, unknown> },
  b: { id: string; row: Record<string, unknown> },
): number => {
  const [first, second] = [numberOf(a.row.numero), numberOf(b.row.numero)];
  return first === second ? newest(a.id, b.id) : first - second;
};

/** True if a sync that names no tender must read this tender again. A tender in an unknown state is also read again. */
export const isOpen = (ficha: Record<string, unknown>): boolean => !FINAL_STATES.includes(ficha.estado);

export interface FileCopy {
  /** Absent in files stored before proofs existed. */
  bytes?: number;
  proof?: FileProof;
  fetchedAt: string;
}

const RANKS: Readonly<Record<FileProof, number>> = { size: 2, form: 1 };
const rankOf = ({ proof }: FileCopy): number => (proof === undefined ? 0 : RANKS[proof]);

/**
 * Orders the copies of a file: best proof first, then newest. Among copies verified only by their file format, the
 * largest comes first.
 */
export const byProof = (a: FileCopy, b: FileCopy): number =>
  rankOf(b) - rankOf(a) ||
  (a.proof === 'form' ? (b.bytes ?? 0) - (a.bytes ?? 0) : 0) ||
  newest(a.fetchedAt, b.fetchedAt);
