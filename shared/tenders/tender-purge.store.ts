/**
 * Finds the tenders that one connection has stored: the open tenders for its next sync, and all tenders for its purge.
 */
import { procurementLicitaciones } from '#shared/scopes/procurement-licitaciones.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { keys, TENDER_SCOPES, type TenderAddress } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { type DocumentOwner, deleteSome as deleteObjects } from './document.store.ts';
import { tenderScope } from './tender.store.ts';
import { announceDeleted, nameEntry } from './tender-changes.store.ts';
import { listTender } from './tender-list.store.ts';
import { readAt } from './tender-reads.store.ts';

/**
 * Returns the codes of the connection's tenders that are not known to be closed, in ascending order. If a scope is
 * given, also returns the codes of closed tenders that this scope has not read since they closed. So late data (offers,
 * the award) is not missed.
 */
export const openTenders = async (
  { organizationId, connectionId }: DocumentOwner,
  definition?: ScopeDefinition,
): Promise<string[]> => {
  const { pk, prefix } = keys.tendersOf(organizationId, connectionId);
  const read = definition && readAt(tenderScope(definition));
  const attributes = ['sk', 'open', 'closed_at', ...(read ? [read] : [])];
  const items = await table.query(pk, { prefix, attributes });
  const isDue = (item: table.Item): boolean =>
    item.open !== false || (read !== undefined && !isReadSince(item[read], item.closed_at));
  return items.filter(isDue).map(({ sk }) => sk.slice(prefix.length));
};

const isReadSince = (readAt: unknown, closedAt: unknown): boolean =>
  typeof readAt === 'string' && typeof closedAt === 'string' && readAt >= closedAt;

const PAGE = 100;

const firstOf = ({ pk, prefix }: { pk: string; prefix: string }): Promise<table.Item[]> =>
  table.query(pk, { prefix, limit: PAGE });

const deleteTender = async (address: TenderAddress): Promise<void> => {
  const key = keys.tenderOf(address);
  const known: Readonly<Record<string, unknown>> = (await table.get(key)) ?? {};
  // The notes of readings are deleted first. Without them, no row of the connection is returned or listed.
  await listTender(address, procurementLicitaciones, null);
  for (const scope of TENDER_SCOPES) {
    const { pk, prefix } = keys.tenderRowsOf(address, scope);
    await table.batchWrite({ removes: await table.query(pk, { prefix, attributes: ['pk', 'sk'] }) });
  }
  const entries = TENDER_SCOPES.flatMap((scope) => (known[nameEntry(scope)] as number | undefined) ?? []);
  await table.batchWrite({ removes: entries.map(keys.tenderChanges(address.organizationId).entry) });
  await table.remove(key);
};

/**
 * Deletes the connection's data of tenders; data of other connections stays. May be repeated. Returns true if no data
 * is left.
 */
export const deleteTenders = async (owner: DocumentOwner, hasTime: () => boolean): Promise<boolean> => {
  const { organizationId, connectionId } = owner;
  const files = keys.filesOf(organizationId, connectionId);
  for (let items = await firstOf(files); items.length > 0; items = await firstOf(files)) {
    if (!hasTime()) return false;
    const ids = items.map(({ sk }) => sk.slice(files.prefix.length));
    await table.batchWrite({ removes: ids.map((id) => keys.documentFile(organizationId, id, connectionId)) });
    await table.batchWrite({ removes: items });
  }
  const tenders = keys.tendersOf(organizationId, connectionId);
  // The marker is stored before the first deletion, so that after a crash the next worker still announces the deletion
  // to readers.
  if ((await firstOf(tenders)).length > 0) await table.put({ ...keys.tendersDeleting(organizationId, connectionId) });
  for (let items = await firstOf(tenders); items.length > 0; items = await firstOf(tenders))
    for (const { sk } of items) {
      if (!hasTime()) return false;
      await deleteTender({ organizationId, connectionId, codigo: sk.slice(tenders.prefix.length) });
    }
  await announceDeleted(organizationId, connectionId);
  while (await deleteObjects(owner)) if (!hasTime()) return false;
  return true;
};
