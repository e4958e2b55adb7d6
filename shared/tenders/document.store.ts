/**
 * The bucket of documents: files of tenders and tender pages too big for the table. Objects lie under organization and
 * connection, live as long as the connection, and leave by short-lived signed URLs.
 */

import { DeleteObjectsCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { env } from '#shared/platform/env.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import { objectClient } from '#shared/platform/object-client.ts';
import { TENDER_LIMITS } from '#shared/tenders/limits.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';

const Bucket = () => env(VARIABLES.documentBucket);

export interface DocumentOwner {
  organizationId: OrganizationId;
  connectionId: ConnectionId;
}

const prefixOf = ({ organizationId, connectionId }: DocumentOwner): string => `${organizationId}/${connectionId}/`;

export const objectKey = (owner: DocumentOwner, ...path: string[]): string => `${prefixOf(owner)}${path.join('/')}`;

/** A disk takes no longer name (NAME_MAX); an ending is kept, for the program that opens the file. */
export const downloadName = (name: string): string => {
  const text = name.toWellFormed();
  const [ending = ''] = /\.[^.\s]{1,15}$/u.exec(text) ?? [];
  if (Buffer.byteLength(text) <= TENDER_LIMITS.fileNameBytesMax) return text;
  const room = TENDER_LIMITS.fileNameBytesMax - Buffer.byteLength(ending);
  let cut = '';
  let size = 0;
  for (const sign of text.slice(0, text.length - ending.length)) {
    size += Buffer.byteLength(sign);
    if (size > room) break;
    cut += sign;
  }
  return cut + ending;
};

/** RFC 8187: everything but letters, digits and a few marks is escaped, so that a name can end no header. */
const extended = (text: string): string =>
  encodeURIComponent(text).replaceAll(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Whoever follows a link to it gets a download of that name, of no particular type: what the portal's users uploaded
 * must not run as a page of the bucket's origin.
 */
export const put = async (key: string, body: Uint8Array, name: string | null = null): Promise<void> => {
  await objectClient().send(
    new PutObjectCommand({
      Bucket: Bucket(),
      Key: key,
      Body: body,
      ContentType: 'application/octet-stream',
      ContentDisposition: name ? `attachment; filename*=UTF-8''${extended(downloadName(name))}` : 'attachment',
    }),
  );
};

/** Deletes up to a thousand of a connection; answers whether any were left to delete. */
export const deleteSome = async (owner: DocumentOwner): Promise<boolean> => {
  const { Contents = [] } = await objectClient().send(
    new ListObjectsV2Command({ Bucket: Bucket(), Prefix: prefixOf(owner), MaxKeys: 1_000 }),
  );
  if (Contents.length === 0) return false;
  await objectClient().send(
    new DeleteObjectsCommand({
      Bucket: Bucket(),
      Delete: { Objects: Contents.map(({ Key }) => ({ Key: Key! })), Quiet: true },
    }),
  );
  return true;
};
