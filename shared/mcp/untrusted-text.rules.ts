/**
 * Text of third parties, made fit for an agent: whoever pays one peso writes into a statement, and a supplier chooses the
 * name on an invoice. What no reader sees is taken out, and length has a limit; what the text says is for the reader to judge.
 */
import * as z from 'zod';
import { visibleText } from '#shared/values/visible-text.ts';

const CUT = '…';

/** @param charsMax code points, the sign of a cut included */
export const cleanText = (text: string, charsMax: number): string => {
  const seen = visibleText(text);
  // As many UTF-16 units are never more code points.
  if (seen.length <= charsMax) return seen;
  const points = [...seen];
  return points.length <= charsMax ? seen : `${points.slice(0, charsMax - 1).join('')}${CUT}`;
};

/** What stands below nullable, optional and the like. */
const innermost = (schema: z.ZodType): z.ZodType => {
  let at = schema;
  while (at instanceof z.ZodNullable || at instanceof z.ZodOptional) at = at.unwrap() as z.ZodType;
  return at;
};

/** A string of no form: names, descriptions, captions, numbers as somebody wrote them. Dates, ids and amounts have one. */
export const isFreeText = (schema: z.ZodType): boolean => {
  const inner = innermost(schema);
  return inner instanceof z.ZodString && inner.format === null;
};
