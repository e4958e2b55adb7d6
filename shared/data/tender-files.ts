/** Which files of tenders are stored: found by the id of the row that names the document. */
import { nowIso } from '#shared/platform/clock.ts';
import * as documents from './documents.ts';
import { keys } from './keys.ts';
import * as table from './table.ts';

export interface DocumentFile {
  /** Key in the bucket. */
  object: string;
  fetchedAt: string;
}

/**
 * Stores the fetched file of a document, to be downloaded under `name`. `documentId` is the row's `id`. The connection's list comes first, so that
 * the purge finds whatever was stored.
 */
export const storeFile = async (
  owner: documents.DocumentOwner,
  documentId: string,
  file: { name: string | null; body: Uint8Array },
): Promise<void> => {
  const { organizationId, connectionId } = owner;
  const object = documents.objectKey(owner, 'files', documentId);
  await table.put(keys.fileOf(organizationId, connectionId, documentId));
  await documents.put(object, file.body, file.name);
  await table.put({
    ...keys.documentFile(organizationId, documentId, connectionId),
    object,
    fetched_at: nowIso(),
  });
};

/** The newest of all connections; undefined when none has fetched it. */
export const findFile = async (organizationId: string, documentId: string): Promise<DocumentFile | undefined> => {
  const items = await table.query(keys.documentFiles(organizationId, documentId));
  const [newest] = items.sort((a, b) => (a.fetched_at < b.fetched_at ? 1 : -1));
  return newest && { object: newest.object, fetchedAt: newest.fetched_at };
};

/** Has this connection stored it already? For a sync that would fetch it again. */
export const hasFile = async (owner: documents.DocumentOwner, documentId: string): Promise<boolean> =>
  (await table.get(keys.documentFile(owner.organizationId, documentId, owner.connectionId))) !== undefined;
