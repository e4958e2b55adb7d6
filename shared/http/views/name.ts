import * as z from 'zod';
import { HTTP_LIMITS } from '#shared/http/limits.ts';

const { nameCharsMax } = HTTP_LIMITS;

/** Control characters, and marks that turn the direction of what follows: a name could pass for another one. */
const HIDDEN = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';
const SHOWN = new RegExp(`^[^${HIDDEN}]*$`);
/** The same, and something but blanks: what JSON Schema needs is too slow for a long text. */
const PATTERN = `^[^${HIDDEN}]*[^\\s${HIDDEN}][^${HIDDEN}]*$`;

/** Characters as people and JSON Schema count them: one outside the basic plane is one, not two. */
const isShortEnough = (text: string): boolean => [...text].length <= nameCharsMax;

/** Names that people give: trimmed, 1..120 characters. */
export const name = () =>
  z
    .string()
    .refine((text) => SHOWN.test(text), 'must not have control characters or marks of direction')
    .trim()
    .min(1)
    .refine(isShortEnough, `must have at most ${nameCharsMax} characters`)
    .meta({ maxLength: nameCharsMax, pattern: PATTERN });
