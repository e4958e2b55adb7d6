/**
 * Text of third parties, made fit for an agent: whoever pays one peso writes into a statement, and a supplier chooses the
 * name on an invoice. What no reader sees is taken out, and length has a limit; what the text says is for the reader to judge.
 */
import * as z from 'zod';

/** Line ends, tabs and other controls stand between words. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/**
 * Format characters (bidi controls, zero-width ones, tags), private use and unassigned ones, variation selectors, and the
 * fillers and joiners that Unicode counts as letters or marks though nothing shows.
 */
const UNSEEN =
  /\p{Cf}|\p{Co}|\p{Cn}|\p{Cs}|\p{Variation_Selector}|\u034F|\u115F|\u1160|\u17B4|\u17B5|\u2800|\u3164|\uFFA0/gu;
const CUT = '…';

/** @param charsMax code points, the sign of a cut included */
export const cleanText = (text: string, charsMax: number): string => {
  const seen = text.replaceAll(CONTROLS, ' ').replaceAll(UNSEEN, '').trim();
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
