/** Builds a row for agents: the requested fields, with text of third parties cleaned and marked. Pure. */
import type * as z from 'zod';
import type { Row } from '#shared/scopes/scope.ts';
import { cleanText, isFreeText } from './untrusted-text.rules.ts';

/**
 * Returns the fields whose text a third party may have written. A field that is missing in the schema counts as
 * untrusted.
 */
export const untrustedFields = (schema: z.ZodObject, fields: readonly string[]): string[] =>
  fields.filter((field) => !(field in schema.shape) || isFreeText(schema.shape[field] as z.ZodType));

const asShown = (value: unknown, textCharsMax: number | null): unknown =>
  typeof value === 'string' && textCharsMax !== null ? cleanText(value, textCharsMax) : (value ?? null);

/**
 * Returns the requested fields of a row, with untrusted text cleaned.
 * @param untrusted the untrusted fields among `fields`
 */
export const project = (row: Row, fields: readonly string[], untrusted: readonly string[], textCharsMax: number): Row =>
  Object.fromEntries(
    fields.map((field) => [field, asShown(row[field], untrusted.includes(field) ? textCharsMax : null)]),
  );

/** Cleans the group values of sums, which may be text of third parties. */
export const cleanGroup = (
  values: Readonly<Record<string, unknown>>,
  textCharsMax: number,
): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries(values).map(([field, value]) => [
      field,
      value === null ? null : cleanText(String(value), textCharsMax),
    ]),
  );
