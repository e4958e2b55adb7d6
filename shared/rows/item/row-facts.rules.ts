/**
 * Compares the facts of a row: fields that do not change while the row has the same key, such as the amount of a
 * transfer (ADR 36). Pure.
 */
import type { Row } from '#shared/scopes/scope.ts';
import { isDamagedForm } from '#shared/values/damaged-forms.ts';
import { canonicalDecimal, isDecimal } from '#shared/values/decimals.ts';

/** Values of the facts as JSON, in the order of the scope's `facts`. `[]` if the answer lacks the field. */
export type RowFacts = string;

const spelled = (value: unknown): unknown => (isDecimal(value) ? canonicalDecimal(value) : (value ?? null));

export const rowFacts = (facts: readonly string[], row: Row): RowFacts =>
  // A field that the answer lacks is no change, and neither is a value that was unknown before.
  JSON.stringify(facts.map((field) => (row[field] === undefined ? [] : spelled(row[field]))));

const isDamaged = (now: unknown, before: unknown): boolean =>
  typeof now === 'string' && typeof before === 'string' && isDamagedForm(now, before);

/**
 * True if a known value of the stored row changed. A missing value in either row is no change, and neither is a text
 * that came damaged, because the stored text stays.
 */
export const hasOtherFacts = (stored: RowFacts, shown: RowFacts): boolean => {
  const [before, now] = [JSON.parse(stored), JSON.parse(shown)] as [unknown[], unknown[]];
  return before.some((value, at) => {
    const shown = now[at];
    return value !== null && !Array.isArray(shown) && value !== shown && !isDamaged(shown, value);
  });
};
