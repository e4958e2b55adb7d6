/** Reads which scopes of an organization have changes since a cursor: one range of numbered entries of each part. */
import * as z from 'zod';
import { organizationChangeItem, organizationLists } from '#shared/rows/index/announce-scope.store.ts';
import { CursorExpired, CursorUnreadable } from '#shared/rows/item/change-cursor.rules.ts';
import { tableEpoch } from '#shared/table/epoch.ts';
import { findEntries } from '#shared/table/numbered-entries.ts';
import { cursorParts, cursorText } from '#shared/values/cursor-text.ts';
import type { OrganizationId } from '#shared/values/ids.ts';

export type OrganizationChange =
  | { kind: 'changed'; connectionId: string; scope: string }
  | { kind: 'connection_deleted'; connectionId: string }
  | { kind: 'tenders_changed' };

export interface OrganizationChangesPage {
  changes: OrganizationChange[];
  /** The caller must store it after it has read the feeds of all changes. */
  nextCursor: string;
  /** False if no further entry was stored when the call began. */
  hasMore: boolean;
}

/**
 * Returns the number of the organization's newest change of tenders after a number, or null. It is given by the caller
 * because tenders are built on rows.
 */
type FindNewestTender = (after: number) => Promise<number | null>;

const VERSION = 1;
const KIND = 'organization';
/** The number must be small enough that the next number is also a safe integer. */
const number = z
  .int()
  .min(0)
  .max(Number.MAX_SAFE_INTEGER - 1);
const CursorSchema = z.tuple([
  z.literal(VERSION),
  z.string(),
  z.literal(KIND),
  z.string(),
  z.tuple([number, number, number, number]),
  number,
]);

interface Position {
  /** Number of the last entry that was returned, of each part. */
  parts: readonly number[];
  tenders: number;
}

const BEGINNING: Position = { parts: [0, 0, 0, 0], tenders: 0 };

const encode = (organizationId: OrganizationId, { parts, tenders }: Position): string =>
  cursorText([VERSION, tableEpoch(), KIND, organizationId, parts, tenders]);

const decode = (cursor: string, organizationId: OrganizationId): Position => {
  const parsed = CursorSchema.safeParse(cursorParts(cursor));
  if (!parsed.success || parsed.data[3] !== organizationId) throw new CursorUnreadable('is not a cursor of this path');
  const [, epoch, , , parts, tenders] = parsed.data;
  if (epoch !== tableEpoch()) throw new CursorExpired();
  return { parts, tenders };
};

interface PartEntry {
  part: number;
  n: number;
  change: OrganizationChange;
}

const findPart = async (
  list: ReturnType<typeof organizationLists>[number],
  part: number,
  after: number,
  limit: number,
): Promise<PartEntry[]> =>
  (await findEntries(list, after, limit)).map(({ n, item }) => {
    const { connectionId, scope } = organizationChangeItem.fromItem(item);
    const change: OrganizationChange =
      scope === null ? { kind: 'connection_deleted', connectionId } : { kind: 'changed', connectionId, scope };
    return { part, n, change };
  });

/** Returns the entries in turn: the first of each part, then the second, so that no part waits for a busy one. */
const inTurn = (parts: readonly PartEntry[][]): PartEntry[] =>
  parts
    .flatMap((entries) => entries.map((entry, place) => ({ entry, place })))
    .sort((a, b) => a.place - b.place)
    .map(({ entry }) => entry);

/**
 * Returns the scopes with changes after a cursor, each once. The caller then reads the feeds of their connections, and
 * never misses a change: an entry is stored in the transaction that makes a change readable, and within a part no entry
 * appears behind a later entry.
 *
 * @param cursor `nextCursor` of the previous call; null for the beginning
 * @param findNewestTender null if the caller may not read tenders
 * @throws CursorUnreadable if the cursor does not belong to this organization's feed
 * @throws CursorExpired if the table was restored since the cursor was issued
 */
export const readOrganizationChanges = async (
  { organizationId, cursor, limit }: { organizationId: OrganizationId; cursor: string | null; limit: number },
  findNewestTender: FindNewestTender | null,
): Promise<OrganizationChangesPage> => {
  const from = cursor === null ? BEGINNING : decode(cursor, organizationId);
  const [newestTender, ...parts] = await Promise.all([
    findNewestTender?.(from.tenders) ?? null,
    // Reads one entry more than the limit, to see whether more entries follow.
    ...organizationLists(organizationId).map((list, part) => findPart(list, part, from.parts[part] ?? 0, limit + 1)),
  ]);
  const found = inTurn(parts);
  const room = newestTender === null ? limit : limit - 1;
  const shown = found.slice(0, room);
  const after = [...from.parts];
  for (const { part, n } of shown) after[part] = n;
  return {
    changes: [
      ...(newestTender === null ? [] : [{ kind: 'tenders_changed' } as const]),
      ...shown.map(({ change }) => change),
    ],
    nextCursor: encode(organizationId, { parts: after, tenders: newestTender ?? from.tenders }),
    hasMore: found.length > room,
  };
};
