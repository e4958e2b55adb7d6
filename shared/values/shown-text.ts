/** Text that people give and that is shown to people. */
import * as z from 'zod';

/**
 * Control characters, characters that change the text direction, and characters of no width. With them, a name could
 * look like another name. U+200C and U+200D are allowed, because words and emoji need them.
 */
const HIDDEN =
  '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u2069\\ufeff';
const SHOWN = new RegExp(`^[^${HIDDEN}]*$`);
/**
 * The pattern of `SHOWN`, with at least one character that is not a blank. Used only for JSON Schema, because it is too
 * slow for long texts.
 */
const PATTERN = `^[^${HIDDEN}]*[^\\s${HIDDEN}][^${HIDDEN}]*$`;

/**
 * Text without hidden characters, trimmed, 1 to `charsMax` characters. Counts characters as people and JSON Schema do: a
 * character outside the basic plane counts as one.
 */
export const shownText = (charsMax: number) =>
  z
    .string()
    .refine(
      (text) => SHOWN.test(text),
      'must not have control characters, marks of direction or characters of no width',
    )
    .trim()
    .min(1)
    .refine((text) => [...text].length <= charsMax, `must have at most ${charsMax} characters`)
    .meta({ maxLength: charsMax, pattern: PATTERN });
