/**
 * The bucket of documents. It contains files of tenders, and tender pages that are too big for the table. Object keys
 * begin with organization and connection. Objects stay as long as the connection exists and are downloaded by
 * short-lived signed URLs.
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

/**
 * Shortens a name to the length that disks accept (NAME_MAX). The extension stays, so that the right program opens the
 * file.
 */
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

/**
 * Encodes a name as in RFC 8187: escapes everything except letters, digits and a few marks, so that a name cannot end
 * the header.
 */
const extended = (text: string): string =>
  encodeURIComponent(text).replaceAll(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Stores an object that browsers download under `name`. The content type is generic, because files uploaded by the
 * portal's users must not run as a page of the bucket's origin.
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

/** Deletes up to 1,000 objects of a connection. Returns true if more may be left. */
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
