/** Bodies of the API: JSON, sometimes behind a guard prefix, sometimes not JSON at all (banks.md §1.6, §3.2). */
import { decodeText } from '../http/charset.ts';
import { type Json, type JsonObject, SourceError } from '../source.ts';

/** `)]}',` and a line end keep a body from being run as a script; a byte order mark may come before. */
const GUARD = /^\uFEFF?\s*(?:\)\]\}',?\s*)?/;

const parse = (bytes: Uint8Array): Json | undefined => {
  try {
    return JSON.parse(decodeText(bytes).replace(GUARD, '')) as Json;
  } catch {
    return undefined;
  }
};

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined when the body is no JSON object. */
export const findObject = (bytes: Uint8Array): JsonObject | undefined => {
  const value = parse(bytes);
  return isObject(value) ? value : undefined;
};

export const readObject = (bytes: Uint8Array, what: string): JsonObject => {
  const value = findObject(bytes);
  if (value === undefined) throw new SourceError('source.unexpected_response', `${what}: the answer is no JSON object`);
  return value;
};

/** By content: a gateway's fault page may claim any type. */
export const looksLikePage = (bytes: Uint8Array): boolean =>
  /^(?:\xef\xbb\xbf)?\s*</.test(Buffer.from(bytes.subarray(0, 256)).toString('latin1'));
