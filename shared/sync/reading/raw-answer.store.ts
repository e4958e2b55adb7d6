/**
 * Raw answers of institutions, stored in packs before they are parsed. They are compressed here, encrypted by the
 * bucket's key, and removed by the bucket's lifecycle rule after 90 days (decisions.md §5).
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

/** What the head of a pack says about one of its answers, without the bytes of the body. */
type AnswerHead = Omit<RawAnswer, 'body'> & { at: string; bytes: number };

/** Stores answers under one id: a line of JSON with their heads, followed by the bytes of their bodies. */
export const put = async (
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  id: string,
  answers: readonly StoredAnswer[],
): Promise<void> => {
  const heads = answers.map(({ at, answer: { body, ...asked } }): AnswerHead => ({ at, ...asked, bytes: body.length }));
  const bodies = answers.map(({ answer }) => answer.body);
  const object = await zip(Buffer.concat([Buffer.from(`${JSON.stringify(heads)}\n`), ...bodies]), { level: 1 });
  await objectClient().send(
    new PutObjectCommand({ Bucket: Bucket(), Key: keyOf(organizationId, connectionId, id), Body: object }),
  );
};

/** Returns the answers of an unzipped pack. */
export const unpack = (pack: Uint8Array): StoredAnswer[] => {
  const end = pack.indexOf(NEWLINE);
  const heads = JSON.parse(Buffer.from(pack.subarray(0, end)).toString('utf8')) as AnswerHead[];
  let from = end + 1;
  return heads.map(({ at, bytes, ...asked }) => {
    const body = pack.subarray(from, from + bytes);
    from += bytes;
    return { answer: { ...asked, body }, at };
  });
};

/** Returns the answers that were stored under the id, or undefined if nothing was stored. */
export const get = async (
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  id: string,
): Promise<StoredAnswer[] | undefined> => {
  try {
    const { Body } = await objectClient().send(
      new GetObjectCommand({ Bucket: Bucket(), Key: keyOf(organizationId, connectionId, id) }),
    );
    return unpack(await unzip(await Body!.transformToByteArray()));
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
