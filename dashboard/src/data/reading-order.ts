/**
 * Columns as a person reads them: when, which way, what, how much; then the rest as the API lists it. A wide register
 * would otherwise have its amount out of sight.
 */
import { AMOUNTS } from './amounts.ts';
import type { Field } from './resource.ts';

/** What names a row: type and number of a document, account and text of a movement. */
const NAMES = 2;

export const inReadingOrder = (fields: readonly Field[]): Field[] => {
  const of = (...kinds: Field['kind'][]) => fields.filter(({ kind }) => kinds.includes(kind));
  const amount = AMOUNTS.map((name) => fields.find((field) => field.name === name)).filter(
    (field) => field !== undefined,
  );
  const first = [...of('period'), ...of('day'), ...of('choice'), ...of('text').slice(0, NAMES), ...amount.slice(0, 1)];
  return [...new Set([...first, ...fields])];
};
