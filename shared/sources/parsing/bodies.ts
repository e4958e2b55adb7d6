/** Bodies of answers: JSON, or a page that arrives instead of JSON. */
import type { Json, JsonObject } from '../source.ts';

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns undefined for invalid JSON. */
export const parseJson = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
};

/**
 * True if the content looks like a page. The header is not checked, because a gateway's error page may have any content
 * type.
 */
export const looksLikePage = (body: Uint8Array): boolean =>
  /^(?:\xef\xbb\xbf)?\s*</.test(Buffer.from(body.subarray(0, 256)).toString('latin1'));
