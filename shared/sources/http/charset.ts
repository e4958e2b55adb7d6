/**
 * Decodes answers by their bytes and never by their header, because institutions declare wrong charsets (tax.md §3.2):
 * strict UTF-8 first, and ISO-8859-1 when no UTF-8 character beyond ASCII occurs. A damaged byte damages only one
 * character of the text.
 */
import { isUtf8, transcode } from 'node:buffer';

const utf8 = new TextDecoder('utf-8');

/**
 * Up to this size the text is decoded by way of UTF-16, which takes twice the memory but only a fifth of the time of
 * V8's own UTF-8 decoder (docs/performance.md).
 */
const UTF16_BYTES_MAX = 8 * 1024 * 1024;

const decodeUtf8 = (body: Uint8Array): string => {
  if (body.byteLength === 0 || body.byteLength > UTF16_BYTES_MAX) return utf8.decode(body);
  const text = transcode(body, 'utf8', 'ucs2').toString('ucs2');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
};

/** One UTF-8 character beyond ASCII, in a text that has one character per byte. */
const MULTI_BYTE = /[\u00C2-\u00DF][\u0080-\u00BF]|[\u00E0-\u00EF][\u0080-\u00BF]{2}|[\u00F0-\u00F4][\u0080-\u00BF]{3}/;

export const decodeText = (body: Uint8Array): string => {
  if (isUtf8(body)) return decodeUtf8(body);
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  return MULTI_BYTE.test(bytes) ? utf8.decode(body) : bytes;
};
