/**
 * Columns in a person's reading order: date, direction, names, amount; then the rest in the API's order. Otherwise the
 * amount of a wide register would be out of view.
 */
import { AMOUNTS } from './amounts.ts';
import type { Field } from './resource.ts';

/** Number of naming columns: type and number of a document, account and text of a movement. */
const NAMES = 2;

export const inReadingOrder = (fields: readonly Field[]): Field[] => {
  const of = (...kinds: Field['kind'][]) => fields.filter(({ kind }) => kinds.includes(kind));
  const amount = AMOUNTS.map((name) => fields.find((field) => field.name === name)).filter(
    (field) => field !== undefined,
  );
  const first = [...of('period'), ...of('day'), ...of('choice'), ...of('text').slice(0, NAMES), ...amount.slice(0, 1)];
  return [...new Set([...first, ...fields])];
};
