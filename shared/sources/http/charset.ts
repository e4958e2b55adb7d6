/**
 * Institutions mislabel their charset (tax.md §3.2), so the bytes decide and never the header: strict UTF-8 first, and
 * ISO-8859-1 where no character of UTF-8 beyond ASCII is. A byte that is damaged costs one character, not all others.
 */
const strict = new TextDecoder('utf-8', { fatal: true });
const lenient = new TextDecoder('utf-8');

/** Of a text whose bytes are its characters: one character beyond ASCII as UTF-8 writes it. */
const MULTI_BYTE = /[\u00C2-\u00DF][\u0080-\u00BF]|[\u00E0-\u00EF][\u0080-\u00BF]{2}|[\u00F0-\u00F4][\u0080-\u00BF]{3}/;

export const decodeText = (body: Uint8Array): string => {
  try {
    return strict.decode(body);
  } catch {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
    return MULTI_BYTE.test(bytes) ? lenient.decode(body) : bytes;
  }
};

/** Characters that could not be read. */
export const damagedCharacters = (text: string): number => {
  let count = 0;
  for (let at = text.indexOf('\uFFFD'); at >= 0; at = text.indexOf('\uFFFD', at + 1)) count++;
  return count;
};
