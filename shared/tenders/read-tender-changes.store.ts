/** Reads the changes in an organization's tenders since a cursor. The changes are one range of numbered entries. */
import * as z from 'zod';
import { CursorExpired, CursorUnreadable } from '#shared/rows/item/change-cursor.rules.ts';
import { tableEpoch } from '#shared/table/epoch.ts';
import { cursorParts, cursorText } from '#shared/values/cursor-text.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { findTenderChanges, type TenderChangeEntry } from './tender-changes.store.ts';

export interface TenderChange extends TenderChangeEntry {
  sequence: number;
}

export interface TenderChangesPage {
  changes: TenderChange[];
  nextCursor: string;
  hasMore: boolean;
}

const VERSION = 1;
const KIND = 'tenders';
/** The number must be small enough that the next number is also a safe integer. */
const last = z
  .int()
  .min(0)
  .max(Number.MAX_SAFE_INTEGER - 1);
const CursorSchema = z.tuple([z.literal(VERSION), z.string(), z.literal(KIND), z.string(), last]);

const encode = (organizationId: OrganizationId, after: number): string =>
  cursorText([VERSION, tableEpoch(), KIND, organizationId, after]);

const decode = (cursor: string, organizationId: OrganizationId): number => {
  const judged = CursorSchema.safeParse(cursorParts(cursor));
  if (!judged.success || judged.data[3] !== organizationId) throw new CursorUnreadable('is not a cursor of this path');
  const [, epoch, , , after] = judged.data;
  if (epoch !== tableEpoch()) throw new CursorExpired();
  return after;
};

/**
 * Returns the next changes after a cursor.
 * @param cursor `nextCursor` of the previous call; null for the beginning
 * @throws CursorUnreadable if the cursor does not belong to this organization's tenders
 * @throws CursorExpired if the table was restored since the cursor was issued
 */
export const readTenderChanges = async ({
  organizationId,
  cursor,
  limit,
}: {
  organizationId: OrganizationId;
  cursor: string | null;
  limit: number;
}): Promise<TenderChangesPage> => {
  const after = cursor === null ? 0 : decode(cursor, organizationId);
  // Reads one entry more than the limit, to see whether more entries follow.
  const found = await findTenderChanges(organizationId, after, limit + 1);
  const shown = found.slice(0, limit);
  return {
    changes: shown.map(({ n, entry }) => ({ ...entry, sequence: n })),
    nextCursor: encode(organizationId, shown.at(-1)?.n ?? after),
    hasMore: found.length > limit,
  };
};
