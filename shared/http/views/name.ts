import * as z from 'zod';

export const NAME_CHARS_MAX = 120;

/** Names that people give: trimmed, 1..120 characters. */
export const name = () => z.string().trim().min(1).max(NAME_CHARS_MAX);
