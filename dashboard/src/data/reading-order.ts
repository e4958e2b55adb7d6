/**
 * Sorts columns in the order in which a person reads: date, direction, names, amount, then all other columns in the
 * API's order. In the API's order, the amount of a row with many columns would be out of view.
 */
import { AMOUNTS } from './amounts.ts';
import type { Field } from './resource.ts';

/**
 * Number of text columns before the amount, such as type and number of a document, or account and text of a movement.
 */
const NAMES = 2;

export const inReadingOrder = (fields: readonly Field[]): Field[] => {
  const of = (...kinds: Field['kind'][]) => fields.filter(({ kind }) => kinds.includes(kind));
  const amount = AMOUNTS.map((name) => fields.find((field) => field.name === name)).filter(
    (field) => field !== undefined,
  );
  const first = [...of('period'), ...of('day'), ...of('choice'), ...of('text').slice(0, NAMES), ...amount.slice(0, 1)];
  return [...new Set([...first, ...fields])];
};
