/** The last guard before a report is written: values of the visit that are in it all the same become `{hidden}`. Pure. */
import { decodeText } from '#shared/sources/http/charset.ts';
import { parseJson } from '#shared/sources/parsing/bodies.ts';
import type { VisitedCall } from './visit.ts';

const HIDDEN = '{hidden}';
const SECRET_MIN = 4;
const RUT = /\b\d{1,2}\.?\d{3}\.?\d{3}-[\dkK]\b/g;

const leaves = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
};

/** Texts of answers that have a blank or a digit: names, accounts, folios, days. */
const valuesIn = (calls: readonly VisitedCall[]): Set<string> => {
  const texts = calls.flatMap(({ body }) => {
    const text = decodeText(body);
    const json = parseJson(text);
    return json === undefined ? (text.match(RUT) ?? []) : leaves(json);
  });
  return new Set(texts.map((text) => text.trim()).filter((text) => text.length >= SECRET_MIN && /[\s\d]/.test(text)));
};

const mapTexts = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), mapTexts(item, change)]));
};

/**
 * Returns the report without the secrets and without texts that are values of the answers, in names and in values.
 *
 * @param words texts that docs/wire has: they may be in a report even if an answer contains them as a value
 */
export const maskValues = <Report>(
  report: Report,
  secrets: readonly string[],
  calls: readonly VisitedCall[],
  words: string,
): Report => {
  const values = valuesIn(calls);
  const hidden = secrets.filter((secret) => secret.length >= SECRET_MIN && !words.includes(secret));
  return mapTexts(report, (text) => {
    if (values.has(text) && !words.includes(text)) return HIDDEN;
    const parts = [...hidden, ...(text.match(RUT) ?? [])];
    return parts.reduce((masked, part) => masked.replaceAll(part, HIDDEN), text);
  }) as Report;
};
