/**
 * The change feed of an organization's tenders, for readers with a copy. An entry names the tender, the scope and the
 * connection, and the reader reads the tender again. Entries are numbered consecutively over all connections. Each
 * entry is written in the transaction that raises the organization's last number, so that no entry appears behind a
 * later entry.
 *
 * Rows of tenders are put without a condition. Before the first row, the writer sets a mark on the tender. The mark
 * says that the rows must be announced: by their writer or, if the writer dies, by the worker that finds the mark
 * (`tender-marks.rules.ts`).
 */
import * as z from 'zod';
import { nowMs } from '#shared/platform/clock.ts';
import { ServiceBusy, waitBriefly } from '#shared/platform/patience.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { procurementLicitaciones } from '#shared/scopes/procurement-licitaciones.ts';
import { DUE_ATTRIBUTES, dueIn } from '#shared/table/due-index.ts';
import { ConditionRefused } from '#shared/table/errors.ts';
import { item } from '#shared/table/item.ts';
import { keys, type TenderAddress, type TenderScope } from '#shared/table/keys.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import { findEntries, findNewestEntry, nextEntry } from '#shared/table/numbered-entries.ts';
import * as table from '#shared/table/table.ts';
import { TENDER_LIMITS } from '#shared/tenders/limits.ts';
import { VersionConflict } from '#shared/values/app-error.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import { retryOnConflict } from '#shared/values/retry-on-conflict.ts';
import { tenderItem } from './tender-items.ts';
import { listTender } from './tender-list.store.ts';
import { buildMark, isToAnnounce, lookAtMs, marksAfter, scopeOfMark } from './tender-marks.rules.ts';
import { forgetDigest } from './tender-reads.store.ts';

/** Another worker announced a change in the organization's tenders or marked the tender in the meantime. */
export class AnnouncementConflict extends VersionConflict {}

export const tenderChangeItem = item(
  'tender change',
  z.object({
    connectionId: z.string(),
    /** Code of the tender. Null if the connection was deleted. */
    codigo: z.string().nullable(),
    scope: z.string().nullable(),
    /** Time of the source's answer. Null if the entry announces rows that a dead writer left. */
    observedAt: z.string().nullable(),
  }),
  { absent: ['codigo', 'scope', 'observedAt'] },
);
export type TenderChangeEntry = ReturnType<typeof tenderChangeItem.fromItem>;

/** Returns the name of the tender's attribute that contains the number of the scope's newest entry. */
export const nameEntry = (scope: TenderScope): string => `${scope}_n`;

/**
 * Marks the tender before the first row is put.
 *
 * @param fence fence of the writer's lease
 */
export const markUnannounced = async (address: TenderAddress, scope: TenderScope, fence: number): Promise<void> => {
  const key = keys.tenderOf(address);
  const add = { unannounced: new Set([buildMark(scope, fence)]) };
  await table.update(key, { set: dueIn(key, ROW_LIMITS.dirtyPeriodMs), add });
};

interface Announcement {
  scope: TenderScope;
  observedAt: string | null;
  /** If the lease of a mark's writer has this fence or a lower fence, the mark counts as announced. */
  fence: number;
  /** Mark of the announcing writer; null if the announcer wrote no rows. */
  own: string | null;
}

const announceOnce = async (address: TenderAddress, announcement: Announcement): Promise<void> => {
  const { scope, observedAt, fence, own } = announcement;
  const { organizationId, connectionId, codigo } = address;
  const key = keys.tenderOf(address);
  const otherwise = (): Error => new AnnouncementConflict(codigo);
  const found = await table.get(key);
  // The connection was purged in the meantime.
  if (!found) return;
  const { unannounced } = tenderItem.fromItem(found);
  const marks = marksAfter(unannounced, { scope, fence, own, atMs: nowMs(), lateMs: TABLE_LIMITS.lateWriteMs });
  const former = found[nameEntry(scope)] as number | undefined;
  const list = keys.tenderChanges(organizationId);
  const entry = tenderChangeItem.toItem({ connectionId, codigo, scope, observedAt });
  const { n, items } = await nextEntry(list, entry, otherwise);
  await table.transact([
    ...items,
    ...(former === undefined ? [] : [{ remove: list.entry(former) }]),
    {
      update: key,
      set: { [nameEntry(scope)]: n, ...(marks.length > 0 ? { unannounced: new Set(marks) } : {}) },
      // The due entry stays for the remaining marks.
      ...(marks.length > 0 ? {} : { remove: ['unannounced', ...DUE_ATTRIBUTES] }),
      ...(unannounced.length > 0
        ? { if: '#unannounced = :seen', values: { seen: new Set(unannounced) } }
        : { if: 'attribute_exists(pk) AND attribute_not_exists(#unannounced)' }),
      otherwise,
    },
  ]);
};

const announce = (address: TenderAddress, announcement: Announcement): Promise<void> =>
  retryOnConflict([AnnouncementConflict], TENDER_LIMITS.tenderAnnouncementAttemptsMax, () =>
    announceOnce(address, announcement),
  );

/**
 * Announces the rows of a scope that the caller has just written under the lease with this fence. If too many workers
 * announce at the same time, the mark stays and the sweeper announces, so that no sync fails.
 */
export const announceTender = async (
  address: TenderAddress,
  { scope, observedAt, fence }: { scope: TenderScope; observedAt: string; fence: number },
): Promise<void> => {
  try {
    const announcement = { scope, observedAt, fence, own: buildMark(scope, fence) };
    await waitBriefly(() => announce(address, announcement));
  } catch (error) {
    if (!(error instanceof AnnouncementConflict || error instanceof ServiceBusy)) throw error;
    await markUnannounced(address, scope, fence);
  }
};

/** Keeps the marks and sets the time at which the sweeper checks the tender again. */
export const postponeMarks = async (address: TenderAddress): Promise<void> => {
  const key = keys.tenderOf(address);
  const found = await table.get(key);
  const { unannounced } = tenderItem.fromItem(found ?? { codigo: address.codigo });
  const nextMs = lookAtMs(unannounced, nowMs(), ROW_LIMITS.dirtyPeriodMs);
  if (nextMs === null) return;
  try {
    const due = dueIn(key, Math.max(0, nextMs - nowMs()));
    await table.update(key, { set: due, if: '#unannounced = :seen', values: { seen: new Set(unannounced) } });
  } catch (error) {
    // Another worker marked the tender in the meantime, so the next sweep checks again.
    if (!(error instanceof ConditionRefused)) throw error;
  }
};

/**
 * Lists and announces the rows of dead writers when the tender is due, and again when no more rows can arrive.
 *
 * @param lastFenceLeft the highest fence of the scope whose lease is over; the present holder of a lease announces its
 * own rows
 */
export const announceLeft = async (
  address: TenderAddress,
  lastFenceLeft: (scope: TenderScope) => Promise<number>,
): Promise<void> => {
  const found = await table.get(keys.tenderOf(address));
  if (!found) return;
  const { unannounced } = tenderItem.fromItem(found);
  for (const scope of new Set(unannounced.map((mark) => scopeOfMark(mark) as TenderScope))) {
    const fence = await lastFenceLeft(scope);
    if (!isToAnnounce(unannounced, { scope, fence, atMs: nowMs() })) continue;
    // The list is updated before the announcement, because the announcement removes the mark.
    await forgetDigest(address, scope);
    if (scope === 'licitaciones') await listTender(address, procurementLicitaciones, undefined);
    await announce(address, { scope, observedAt: null, fence, own: null });
  }
  await postponeMarks(address);
};

/**
 * Announces that the tenders of a connection were deleted. The same transaction removes the marker of the deletion, so
 * that the deletion is announced only once.
 */
export const announceDeleted = (organizationId: OrganizationId, connectionId: ConnectionId): Promise<void> =>
  retryOnConflict([AnnouncementConflict], TENDER_LIMITS.tenderAnnouncementAttemptsMax, async () => {
    const key = keys.tendersDeleting(organizationId, connectionId);
    if (!(await table.get(key))) return;
    const otherwise = (): Error => new AnnouncementConflict(connectionId);
    const gone = tenderChangeItem.toItem({ connectionId, codigo: null, scope: null, observedAt: null });
    const { items } = await nextEntry(keys.tenderChanges(organizationId), gone, otherwise);
    await table.transact([...items, { remove: key, if: 'attribute_exists(pk)', otherwise }]);
  });

/** Returns the entries after a number, oldest first. */
export const findTenderChanges = async (
  organizationId: OrganizationId,
  after: number,
  limit: number,
): Promise<{ n: number; entry: TenderChangeEntry }[]> => {
  const found = await findEntries(keys.tenderChanges(organizationId), after, limit);
  return found.map(({ n, item }) => ({ n, entry: tenderChangeItem.fromItem(item) }));
};

/** Returns the number of the newest entry after a number, or null if no entry follows. */
export const findNewestTenderChange = (organizationId: OrganizationId, after: number): Promise<number | null> =>
  findNewestEntry(keys.tenderChanges(organizationId), after);
