/** Where an answer goes on: an offset, bound to the question that it belongs to. Pure, and nothing is stored. */
import { createHash } from 'node:crypto';

const FORM = /^(0|[1-9]\d{0,14})\.([\w-]{16})$/;
const DIGEST_CHARS = 16;

/** Of whatever decides which rows there are and in which order. Undefined and absent are the same. */
const digestOf = (question: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, DIGEST_CHARS);

export const cursorAt = (offset: number, question: readonly unknown[]): string => `${offset}.${digestOf(question)}`;

/** The offset; null for a cursor of another question, or for none at all. */
export const parseOffset = (cursor: string, question: readonly unknown[]): number | null => {
  const [, offset, digest] = FORM.exec(cursor) ?? [];
  return digest !== undefined && digest === digestOf(question) ? Number(offset) : null;
};
