/** JSON of the API: with or without byte order mark, its numbers kept as they are written (procurement.md §2.2, §2.4). */
import { decodeText } from '../http/charset.ts';
import type { Json, JsonObject } from '../source.ts';
import { withOddNumbersQuoted } from './odd-numbers.ts';

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof WrittenNumber);

const textOf = (body: Uint8Array): string => decodeText(body).replace(/^(?:\uFEFF|\u00EF\u00BB\u00BF)/, '');

/** Undefined when it is no JSON. */
export const parseJson = (body: Uint8Array): Json | undefined => {
  try {
    return JSON.parse(textOf(body)) as Json;
  } catch {
    return undefined;
  }
};

/** A number as the source wrote it: an amount must not go through a float. */
export class WrittenNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** An answer, or a part of it, read twice. */
export interface Written<Part extends Json | undefined = Json | undefined> {
  plain: Part;
  /** The same, its odd numbers as text; a number that stays one prints as it was written. */
  exact: Json | undefined;
}

/** As `parseJson`, with its numbers as they are written. */
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

/** A value out of an object, a number as it is written. */
export const written = ({ plain, exact }: Written<JsonObject>, field: string): unknown => {
  const value = plain[field];
  return typeof value === 'number' ? new WrittenNumber(String((exact as JsonObject)[field])) : value;
};

/** An object or a list out of an object. */
export const takePart = ({ plain, exact }: Written<JsonObject>, field: string): Written => ({
  plain: plain[field],
  exact: (exact as JsonObject)[field],
});

export const isWrittenObject = (part: Written): part is Written<JsonObject> => isObject(part.plain);
