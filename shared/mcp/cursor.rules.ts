/**
 * Cursors of answers. A cursor contains an offset and a digest of the question, which is everything that decides which
 * rows an answer has. No cursor is stored. Pure.
 */
import { createHash } from 'node:crypto';

const FORM = /^(0|[1-9]\d{0,14})\.([\w-]{16})$/;
const DIGEST_CHARS = 16;

/** Returns the digest of the question. Undefined and absent values are equal. */
const digestOf = (question: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, DIGEST_CHARS);

export const cursorAt = (offset: number, question: readonly unknown[]): string => `${offset}.${digestOf(question)}`;

/** Returns the offset, or null if the cursor is invalid or belongs to another question. */
export const parseOffset = (cursor: string, question: readonly unknown[]): number | null => {
  const [, offset, digest] = FORM.exec(cursor) ?? [];
  return digest !== undefined && digest === digestOf(question) ? Number(offset) : null;
};
