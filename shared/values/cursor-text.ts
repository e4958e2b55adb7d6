/**
 * Cursors of feeds as text: their parts as JSON, encoded with characters that are allowed in a query. The caller
 * validates the parts.
 */

export const cursorText = (parts: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

/** The parts of a cursor. Returns undefined if the text is not a cursor. */
export const cursorParts = (cursor: string): unknown => {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
};
