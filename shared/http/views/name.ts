import * as z from 'zod';
import { LIMITS } from '#shared/platform/limits.ts';

const { nameCharsMax } = LIMITS;

/** Characters as people and JSON Schema count them: one outside the basic plane is one, not two. */
const isShortEnough = (text: string): boolean => [...text].length <= nameCharsMax;

/** Names that people give: trimmed, 1..120 characters. Half a surrogate pair is no text, and the table refuses it. */
export const name = () =>
  z
    .string()
    .trim()
    .min(1)
    .refine(isShortEnough, `must have at most ${nameCharsMax} characters`)
    .refine((text) => text.isWellFormed(), 'must be well-formed Unicode text')
    .meta({ maxLength: nameCharsMax, pattern: '\\S' });
