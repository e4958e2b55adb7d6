/** Credential fields that several sources use. Error messages name the rule, never a value. */
import * as z from 'zod';
import { type HintKey, hint } from './hint.ts';
import { normalizeRut } from './rut.ts';

/**
 * The part of `normalizeRut` that a pattern can express: one to nine digits and a check digit, with dots, dashes and
 * blanks in between.
 */
const RUT_FORM = '^[\\s.\\-0]*[1-9][\\s.\\-]*(\\d[\\s.\\-]*){0,8}[\\dkK][\\s.\\-]*$';

export const rutCredential = (title: string, key: HintKey) =>
  z
    .string()
    .max(20)
    .trim()
    .refine((value) => normalizeRut(value) !== undefined, 'must be a RUT with a valid check digit')
    .meta({ title, minLength: 2, pattern: RUT_FORM, examples: ['76543210-3'], ...hint(key) });

export const secretCredential = (title: string) => z.string().min(1).max(128).meta({ title, format: 'password' });

export interface HiddenCredential {
  value: string;
  /** Names of the field: our name, and the names in requests to the institution. */
  names: readonly string[];
}

/**
 * Returns values and names of the fields that a form hides. The other fields name a user or a company and are left out,
 * because any answer may contain these names.
 */
export const hiddenCredentials = (
  schema: z.ZodObject,
  credentials: Readonly<Record<string, unknown>>,
  wireNames: Readonly<Record<string, readonly string[]>>,
): HiddenCredential[] =>
  Object.entries(schema.shape).flatMap(([name, field]) => {
    const inner = field instanceof z.ZodOptional ? field.unwrap() : field;
    const value = credentials[name];
    const isHidden = (inner as z.ZodType).meta()?.format === 'password' && typeof value === 'string';
    return isHidden ? [{ value, names: [name, ...(wireNames[name] ?? [])] }] : [];
  });

/** Returns only the values of the hidden fields. */
export const secretsIn = (schema: z.ZodObject, credentials: Readonly<Record<string, unknown>>): string[] =>
  hiddenCredentials(schema, credentials, {}).map(({ value }) => value);
