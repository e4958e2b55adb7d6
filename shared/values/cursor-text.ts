/**
 * Converts cursors of feeds to text: the parts of a cursor as JSON, encoded with characters that are allowed in a query,
 * and a checksum. A damaged cursor could otherwise be a valid one of another place, and its reader would miss rows. The
 * caller validates the parts.
 */
import { createHash } from 'node:crypto';

/** 36 bits: a damaged cursor passes once in 69 thousand million times. */
const CHECKSUM_CHARS = 6;

const checksumOf = (encoded: string): string =>
  createHash('sha256').update(encoded).digest('base64url').slice(0, CHECKSUM_CHARS);

export const cursorText = (parts: readonly unknown[]): string => {
  const encoded = Buffer.from(JSON.stringify(parts)).toString('base64url');
  return `${encoded}.${checksumOf(encoded)}`;
};

/** Cursors were issued without a checksum until 2026-11-27. */
const FORM = /^(?<encoded>[\w-]+)(?:\.(?<checksum>[\w-]{6}))?$/;

/** Returns the parts of a cursor, or undefined if the text is not a cursor or is damaged. */
export const cursorParts = (cursor: string): unknown => {
  const { encoded = '', checksum } = FORM.exec(cursor)?.groups ?? {};
  if (checksum !== undefined && checksum !== checksumOf(encoded)) return undefined;
  try {
    return JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
};
