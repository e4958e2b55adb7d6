/**
 * Reads JSON of the API, with or without byte order mark, and preserves the exact text of its numbers (procurement.md
 * §2.2, §2.4).
 */
import { decodeText } from '../http/charset.ts';
import type { Json, JsonObject } from '../source.ts';
import { withOddNumbersQuoted } from './odd-numbers.ts';

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof WrittenNumber);

const textOf = (body: Uint8Array): string => decodeText(body).replace(/^(?:\uFEFF|\u00EF\u00BB\u00BF)/, '');

/** Parses a body; returns undefined for invalid JSON. */
export const parseJson = (body: Uint8Array): Json | undefined => {
  try {
    return JSON.parse(textOf(body)) as Json;
  } catch {
    return undefined;
  }
};

/** A number with its exact text. An amount must not be rounded to a float. */
export class WrittenNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** An answer, or a part of an answer, in two forms. */
export interface Written<Part extends Json | undefined = Json | undefined> {
  plain: Part;
  /**
   * The same data, in which every odd number is a string. An odd number is a number that a float would print
   * differently from the JSON text.
   */
  exact: Json | undefined;
}

/** Parses like `parseJson`, and also returns the exact text of the numbers. */
export const parseWritten = (body: Uint8Array): Written => {
  const text = textOf(body);
  let plain: Json;
  try {
    plain = JSON.parse(text) as Json;
  } catch {
    return { plain: undefined, exact: undefined };
  }
  const quoted = withOddNumbersQuoted(text);
  return { plain, exact: quoted === text ? plain : (JSON.parse(quoted) as Json) };
};

/** Returns a field of an object; a number comes with its exact text. */
export const written = ({ plain, exact }: Written<JsonObject>, field: string): unknown => {
  const value = plain[field];
  return typeof value === 'number' ? new WrittenNumber(String((exact as JsonObject)[field])) : value;
};

/** Returns a field of an object that is itself an object or a list. */
export const takePart = ({ plain, exact }: Written<JsonObject>, field: string): Written => ({
  plain: plain[field],
  exact: (exact as JsonObject)[field],
});

export const isWrittenObject = (part: Written): part is Written<JsonObject> => isObject(part.plain);
