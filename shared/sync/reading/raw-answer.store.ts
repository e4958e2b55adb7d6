/**
 * Raw answers of institutions, stored before they are parsed. They are compressed here, encrypted by the bucket's key,
 * and removed by the bucket's lifecycle rule after 90 days (decisions.md §5).
 */

import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { DeleteObjectsCommand, GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { env } from '#shared/platform/env.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import { objectClient } from '#shared/platform/object-client.ts';
import type { RawAnswer } from '#shared/sources/source.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';

const zip = promisify(gzip);
const unzip = promisify(gunzip);
const Bucket = () => env(VARIABLES.rawBucket);

const prefixOf = (organizationId: OrganizationId, connectionId: ConnectionId): string =>
  `${organizationId}/${connectionId}/`;
const keyOf = (organizationId: OrganizationId, connectionId: ConnectionId, id: string): string =>
  `${prefixOf(organizationId, connectionId)}${id}`;

const NEWLINE = 0x0a;

export interface StoredAnswer {
  answer: RawAnswer;
  /** Time of the answer. */
  at: string;
}

/** Stores one line of JSON (the question and its time), followed by the bytes of the body. */
export const put = async (
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  id: string,
  { answer, at }: StoredAnswer,
): Promise<void> => {
  const { body, ...asked } = answer;
  const head = { at, ...asked };
  const object = await zip(Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body]), { level: 1 });
  await objectClient().send(
    new PutObjectCommand({ Bucket: Bucket(), Key: keyOf(organizationId, connectionId, id), Body: object }),
  );
};

export const get = async (
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  id: string,
): Promise<StoredAnswer | undefined> => {
  try {
    const { Body } = await objectClient().send(
      new GetObjectCommand({ Bucket: Bucket(), Key: keyOf(organizationId, connectionId, id) }),
    );
    const bytes = await unzip(await Body!.transformToByteArray());
    const end = bytes.indexOf(NEWLINE);
    const { at, ...asked } = JSON.parse(bytes.subarray(0, end).toString('utf8'));
    return { answer: { ...asked, body: bytes.subarray(end + 1) }, at };
  } catch (error) {
    if ((error as { name?: string }).name === 'NoSuchKey') return undefined;
    throw error;
  }
};

/** Deletes up to 1,000 answers of a connection. Returns true if more may be left. */
export const deleteSome = async (organizationId: OrganizationId, connectionId: ConnectionId): Promise<boolean> => {
  const { Contents = [] } = await objectClient().send(
    new ListObjectsV2Command({ Bucket: Bucket(), Prefix: prefixOf(organizationId, connectionId), MaxKeys: 1_000 }),
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
