/** Bodies of answers: JSON, or the page that comes in its place. */
import type { Json, JsonObject } from '../source.ts';

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined when it is no JSON. */
export const parseJson = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
};

/** By content, not by header: a gateway's fault page may claim any type. */
export const looksLikePage = (body: Uint8Array): boolean =>
  /^(?:\xef\xbb\xbf)?\s*</.test(Buffer.from(body.subarray(0, 256)).toString('latin1'));
