/** Stores files of tenders. A file is found by the id of the row that names the document. */

import { hash } from 'node:crypto';
import * as z from 'zod';
import { nowIso } from '#shared/platform/clock.ts';
import { item } from '#shared/table/item.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { FILE_PROOFS, type FileProof } from '#shared/values/file-proof.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import * as documents from './document.store.ts';
import { byProof } from './tender.rules.ts';

const FileSchema = z.object({
  /** Key of the file's object in the bucket. */
  object: z.string(),
  fetchedAt: z.string(),
  /** Length and proof of the file. Absent in files stored before proofs existed. */
  bytes: z.number().exactOptional(),
  proof: z.enum(FILE_PROOFS).exactOptional(),
  /** Hash of the stored bytes. Absent in files stored before hashes existed. */
  hash: z.string().exactOptional(),
});
export type DocumentFile = Pick<z.infer<typeof FileSchema>, 'object' | 'fetchedAt'>;

export type FileContent = Pick<z.infer<typeof FileSchema>, 'bytes' | 'hash'>;

export const fileItem = item('tender file', FileSchema);

/** True if both files are stored and differ. */
export const haveOtherContent = (a: FileContent | undefined, b: FileContent | undefined): boolean =>
  a !== undefined && b !== undefined && (a.hash && b.hash ? a.hash !== b.hash : a.bytes !== b.bytes);

export interface NewFile {
  name: string | null;
  /** The stored bytes, after secrets were removed. */
  body: Uint8Array;
  /** Number of bytes received. */
  bytes: number;
  proof: FileProof;
}

/**
 * Stores the fetched file of a document, to be downloaded under `name`. `documentId` is the row's `id`. The
 * connection's list is written first, so that the purge finds every stored file.
 */
export const storeFile = async (owner: documents.DocumentOwner, documentId: string, file: NewFile): Promise<void> => {
  const { organizationId, connectionId } = owner;
  const object = documents.objectKey(owner, 'files', documentId);
  await table.put({ ...keys.fileOf(organizationId, connectionId, documentId) });
  await documents.put(object, file.body, file.name);
  await table.put({
    ...keys.documentFile(organizationId, documentId, connectionId),
    ...fileItem.toItem({
      ...{ object, bytes: file.bytes, proof: file.proof, fetchedAt: nowIso() },
      hash: hash('sha256', file.body, 'base64url'),
    }),
  });
};

/** Returns the best verified copy of the file over all connections, or undefined if no connection fetched the file. */
export const findFile = async (
  organizationId: OrganizationId,
  documentId: string,
): Promise<DocumentFile | undefined> => {
  const items = await table.query(keys.documentFiles(organizationId, documentId));
  const [best] = items.map(fileItem.fromItem).sort(byProof);
  return best && { object: best.object, fetchedAt: best.fetchedAt };
};

/**
 * Returns the copy of this connection, so that a sync can decide whether to fetch the file again. `proof` is null for
 * files stored before proofs existed.
 */
export const findOwnFile = async (
  { organizationId, connectionId }: documents.DocumentOwner,
  documentId: string,
): Promise<{ bytes: number; proof: FileProof | null } | undefined> => {
  const found = await table.get(keys.documentFile(organizationId, documentId, connectionId));
  if (!found) return undefined;
  const { bytes = 0, proof = null } = fileItem.fromItem(found);
  return { bytes, proof };
};

/** Returns what distinguishes the content of this connection's files: hash or length, by the id of the document. */
export const findOwnContents = async (
  { organizationId, connectionId }: documents.DocumentOwner,
  documentIds: readonly string[],
): Promise<Map<string, FileContent>> => {
  const places = documentIds.map((id) => keys.documentFile(organizationId, id, connectionId));
  const ids = new Map(places.map(({ pk }, at) => [pk, documentIds[at] ?? '']));
  const items = await table.batchGet(places);
  return new Map(items.map((item) => [ids.get(item.pk) ?? '', fileItem.fromItem(item)]));
};

/**
 * Removes the entries of files whose documents no longer exist. The objects in the bucket are deleted with the
 * connection.
 */
export const forgetFiles = (
  { organizationId, connectionId }: documents.DocumentOwner,
  documentIds: readonly string[],
  checkLease: () => void,
): Promise<void> => {
  const removes = documentIds.flatMap((id) => [
    keys.documentFile(organizationId, id, connectionId),
    keys.fileOf(organizationId, connectionId, id),
  ]);
  return table.batchWrite({ removes }, checkLease);
};
