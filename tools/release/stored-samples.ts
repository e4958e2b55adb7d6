/**
 * Values that a stored schema accepts. Together they have every field, lack every optional field, and use each enum
 * value and each branch at least once. The first one has every field.
 */
import fc from 'fast-check';
import type { JsonSchema } from './stored-form.ts';

/** A value of any form, for which the schema has no rule. */
const ANYTHING = { text: 'text', number: 1.5, nothing: null, list: [true] };

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '01890000-0000-7000-8000-000000000001',
  date: '2026-11-24',
  'date-time': '2026-11-24T12:00:00.000Z',
  uri: 'https://example.com/',
};

const textOf = ({ format, pattern, minLength = 0 }: JsonSchema): string => {
  const known = BY_FORMAT[format ?? ''];
  if (known !== undefined) return known;
  if (pattern !== undefined) return fc.sample(fc.stringMatching(new RegExp(pattern)), { seed: 1, numRuns: 1 })[0]!;
  return 'text'.padEnd(minLength, '-');
};

const numberOf = ({ minimum = 1, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema): number =>
  Math.min(Math.max(1, minimum), maximum);

const arraysOf = ({ items, prefixItems, minItems = 0 }: JsonSchema): unknown[][] => {
  if (prefixItems) return [prefixItems.map((each) => samplesOf(each as JsonSchema)[0])];
  const each = samplesOf((items ?? {}) as JsonSchema);
  return minItems > 0 ? [each] : [each, []];
};

const recordsOf = (values: JsonSchema): object[] => [
  Object.fromEntries(samplesOf(values).map((value, at) => [`key${at + 1}`, value])),
  {},
];

/** One object with every field, one with only the required fields, and one for each other value of a field. */
const objectsOf = ({ properties = {}, required = [], additionalProperties }: JsonSchema): object[] => {
  const fields = Object.entries(properties).map(([name, schema]) => [name, samplesOf(schema as JsonSchema)] as const);
  if (fields.length === 0 && typeof additionalProperties === 'object')
    return recordsOf(additionalProperties as JsonSchema);
  const whole = Object.fromEntries(fields.map(([name, [first]]) => [name, first]));
  const smallest = Object.fromEntries(Object.entries(whole).filter(([name]) => required.includes(name)));
  const others = fields.flatMap(([name, [, ...rest]]) => rest.map((value) => ({ ...whole, [name]: value })));
  return [whole, ...(required.length < fields.length ? [smallest] : []), ...others];
};

const BY_TYPE: Readonly<Record<string, (schema: JsonSchema) => unknown[]>> = {
  string: (schema) => [textOf(schema)],
  number: (schema) => [numberOf(schema)],
  integer: (schema) => [numberOf(schema)],
  boolean: () => [true, false],
  null: () => [null],
  array: arraysOf,
  object: objectsOf,
};

const BY_KIND = { binary: new Uint8Array([0, 255]), numbers: new Set([1, 2]) };

export const samplesOf = (schema: JsonSchema): unknown[] => {
  if (schema.stored) return [BY_KIND[schema.stored]];
  if (schema.enum) return schema.enum;
  if ('const' in schema) return [schema.const];
  const branches = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (branches) return branches.flatMap(samplesOf);
  if (schema.type === undefined) return [ANYTHING];
  return [schema.type].flat().flatMap((type) => BY_TYPE[type]!(schema));
};
