/** Fields of credentials that sources share. Rules name what is wrong, never a value. */
import * as z from 'zod';
import { type HintKey, hint } from './hint.ts';
import { normalizeRut } from './rut.ts';

/** What of `normalizeRut` a pattern can say: one to nine digits and a check digit, among dots, dashes and blanks. */
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
  /** Names of its field: ours, and those under which the institution is sent it. */
  names: readonly string[];
}

/** The fields that a form hides; the others name a user or a company, as any answer may. */
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

/** Their values alone. */
export const secretsIn = (schema: z.ZodObject, credentials: Readonly<Record<string, unknown>>): string[] =>
  hiddenCredentials(schema, credentials, {}).map(({ value }) => value);
