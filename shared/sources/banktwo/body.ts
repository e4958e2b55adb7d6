/**
 * Bodies of the API: JSON, sometimes after a prefix that protects it, sometimes not JSON at all (banks.md §1.6, §3.2).
 */
import { decodeText } from '../http/charset.ts';
import { isObject, parseJson } from '../parsing/bodies.ts';
import { unexpected } from '../parsing/results.ts';
import type { JsonObject } from '../source.ts';

/** The prefix `)]}',` with a line end prevents a body from being run as a script; a byte order mark may precede it. */
const GUARD = /^\uFEFF?\s*(?:\)\]\}',?\s*)?/;

/** Returns the JSON object in a body; undefined when the body is not a JSON object. */
export const findObject = (bytes: Uint8Array): JsonObject | undefined => {
  const value = parseJson(decodeText(bytes).replace(GUARD, ''));
  return isObject(value) ? value : undefined;
};

export const readObject = (bytes: Uint8Array, what: string): JsonObject => {
  const value = findObject(bytes);
  if (value === undefined) throw unexpected(what, 'the answer is no JSON object');
  return value;
};
