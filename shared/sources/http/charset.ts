/** Institutions mislabel their charset (tax.md §3.2): strict UTF-8 first, else ISO-8859-1, never the header. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

export const decodeText = (body: Uint8Array): string => {
  try {
    return utf8.decode(body);
  } catch {
    return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  }
};
