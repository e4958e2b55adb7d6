/**
 * Converts cursors of feeds to text: the parts of a cursor as JSON, encoded with characters that are allowed in a
 * query. The caller validates the parts.
 */

export const cursorText = (parts: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

/** Returns the parts of a cursor, or undefined if the text is not a cursor. */
export const cursorParts = (cursor: string): unknown => {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
};
