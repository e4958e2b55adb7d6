/** A row as an agent is shown it: the asked fields, and text of third parties cleaned and named as such. Pure. */
import type * as z from 'zod';
import type { Row } from '#shared/scopes/scope.ts';
import { cleanText, isFreeText } from './untrusted-text.rules.ts';

/** Those of the fields whose text a third party may have written; a field that the schema lacks may be any. */
export const untrustedFields = (schema: z.ZodObject, fields: readonly string[]): string[] =>
  fields.filter((field) => !(field in schema.shape) || isFreeText(schema.shape[field] as z.ZodType));

const asShown = (value: unknown, textCharsMax: number | null): unknown =>
  typeof value === 'string' && textCharsMax !== null ? cleanText(value, textCharsMax) : (value ?? null);

/** @param untrusted among the fields */
export const project = (row: Row, fields: readonly string[], untrusted: readonly string[], textCharsMax: number): Row =>
  Object.fromEntries(
    fields.map((field) => [field, asShown(row[field], untrusted.includes(field) ? textCharsMax : null)]),
  );

/** Values by which amounts are kept apart, as text that others may have written. */
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
