/** JSON of the API: with or without byte order mark, its numbers kept as they are written (procurement.md §2.2, §2.4). */
import { decodeText } from '../http/charset.ts';
import type { Json, JsonObject } from '../source.ts';

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

type SourceReviver = (key: string, value: unknown, context: { source?: string }) => unknown;
const parseWithSource = JSON.parse as (text: string, reviver: SourceReviver) => unknown;

/** As `parseJson`, numbers as `WrittenNumber`. */
export const parseWritten = (body: Uint8Array): unknown => {
  try {
    return parseWithSource(textOf(body), (_key, value, { source }) =>
      typeof value === 'number' ? new WrittenNumber(source ?? String(value)) : value,
    );
  } catch {
    return undefined;
  }
};
