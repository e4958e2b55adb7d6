/** Cursors of feeds as they are told: parts as JSON, in characters that a query may hold. Whoever reads one judges its parts. */

export const cursorText = (parts: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

/** The parts of a cursor; undefined where the text is none. */
export const cursorParts = (cursor: string): unknown => {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
};
