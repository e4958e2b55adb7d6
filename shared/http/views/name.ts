import { HTTP_LIMITS } from '#shared/http/limits.ts';
import { shownText } from '#shared/values/shown-text.ts';

/** Names chosen by people: trimmed, 1 to 120 characters. */
export const name = () => shownText(HTTP_LIMITS.nameCharsMax);
