/**
 * Cleans text of third parties for agents: anyone who pays one peso can write into a statement, and a supplier chooses
 * the name on an invoice. Invisible characters are removed and the length is limited; the visible text within the limit
 * is not changed.
 */
import * as z from 'zod';
import { visibleText } from '#shared/values/visible-text.ts';

const CUT = '…';

/** @param charsMax length in code points, including the ellipsis */
export const cleanText = (text: string, charsMax: number): string => {
  const seen = visibleText(text);
  // A text has at most as many code points as UTF-16 units.
  if (seen.length <= charsMax) return seen;
  const points = [...seen];
  return points.length <= charsMax ? seen : `${points.slice(0, charsMax - 1).join('')}${CUT}`;
};

/** Returns the schema inside nullable, optional and similar wrappers. */
const innermost = (schema: z.ZodType): z.ZodType => {
  let at = schema;
  while (at instanceof z.ZodNullable || at instanceof z.ZodOptional) at = at.unwrap() as z.ZodType;
  return at;
};

/**
 * True for a string without a format: names, descriptions, captions, numbers that a person wrote. Dates, ids and
 * amounts have a format.
 */
export const isFreeText = (schema: z.ZodType): boolean => {
  const inner = innermost(schema);
  return inner instanceof z.ZodString && inner.format === null;
};
