import * as z from 'zod';

export const NAME_CHARS_MAX = 120;

/** Characters as people and JSON Schema count them: one outside the basic plane is one, not two. */
const isShortEnough = (text: string): boolean => [...text].length <= NAME_CHARS_MAX;

/** Names that people give: trimmed, 1..120 characters. Half a surrogate pair is no text, and the table refuses it. */
export const name = () =>
  z
    .string()
    .trim()
    .min(1)
    .refine(isShortEnough, `must have at most ${NAME_CHARS_MAX} characters`)
    .refine((text) => text.isWellFormed(), 'must be well-formed Unicode text')
    .meta({ maxLength: NAME_CHARS_MAX, pattern: '\\S' });
