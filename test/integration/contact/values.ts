/** The values of answers that must never be in a report: RUTs, names, amounts, folios, accounts, tokens. */
import { decodeText } from '#shared/sources/http/charset.ts';
import type { ObservedCall } from '#shared/values/observed-call.ts';

const leaves = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.values(value).flatMap(leaves);
};

const textsOf = (text: string): string[] => {
  try {
    return leaves(JSON.parse(text));
  } catch {
    return text.split(/<[^>]*>|[;|\t\r\n]+|\s{2,}/);
  }
};

const DIGITS_MIN = 5;
const NAME_MIN = 8;

/** A number of five digits, or at least two words in capitals. The month that was asked for is no value. */
const isValue = (text: string): boolean =>
  ((text.match(/\d/g) ?? []).length >= DIGITS_MIN && !/^\d{4}-\d{2}$/.test(text)) ||
  (text.length >= NAME_MIN && /^[\p{Lu}\d]+ [\p{Lu}\d .&-]+$/u.test(text));

export const collectValues = (observed: readonly ObservedCall[]): string[] => {
  const texts = observed.flatMap(({ body }) => textsOf(decodeText(body)).map((text) => text.trim()));
  return [...new Set(texts)].filter(isValue);
};
