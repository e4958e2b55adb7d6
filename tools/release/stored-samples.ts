/**
 * Generates values that a stored schema accepts. The first value has every field. All values together omit every
 * optional field, and use each enum value and each branch, at least once.
 */
import fc from 'fast-check';
import type { StoredJsonSchema } from './stored-form.ts';

/** Value for a field for which the schema has no rule. */
const ANYTHING = { text: 'text', number: 1.5, nothing: null, list: [true] };

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '01890000-0000-7000-8000-000000000001',
  date: '2026-11-24',
  'date-time': '2026-11-24T12:00:00.000Z',
  uri: 'https://example.com/',
};

const textOf = ({ format, pattern, minLength = 0 }: StoredJsonSchema): string => {
  const known = BY_FORMAT[format ?? ''];
  if (known !== undefined) return known;
  if (pattern !== undefined) return fc.sample(fc.stringMatching(new RegExp(pattern)), { seed: 1, numRuns: 1 })[0]!;
  return 'text'.padEnd(minLength, '-');
};

const numberOf = ({ minimum = 1, maximum = Number.MAX_SAFE_INTEGER }: StoredJsonSchema): number =>
  Math.min(Math.max(1, minimum), maximum);

const arraysOf = ({ items, prefixItems, minItems = 0 }: StoredJsonSchema): unknown[][] => {
  if (prefixItems) return [prefixItems.map((each) => makeSamples(each as StoredJsonSchema)[0])];
  const each = makeSamples((items ?? {}) as StoredJsonSchema);
  return minItems > 0 ? [each] : [each, []];
};

const recordsOf = (values: StoredJsonSchema): object[] => [
  Object.fromEntries(makeSamples(values).map((value, at) => [`key${at + 1}`, value])),
  {},
];

/**
 * Returns one object with every field, one object with only the required fields, and further objects for the other
 * possible values of each field.
 */
const objectsOf = ({ properties = {}, required = [], additionalProperties }: StoredJsonSchema): object[] => {
  const fields = Object.entries(properties).map(
    ([name, schema]) => [name, makeSamples(schema as StoredJsonSchema)] as const,
  );
  if (fields.length === 0 && typeof additionalProperties === 'object')
    return recordsOf(additionalProperties as StoredJsonSchema);
  const whole = Object.fromEntries(fields.map(([name, [first]]) => [name, first]));
  const smallest = Object.fromEntries(Object.entries(whole).filter(([name]) => required.includes(name)));
  const others = fields.flatMap(([name, [, ...rest]]) => rest.map((value) => ({ ...whole, [name]: value })));
  return [whole, ...(required.length < fields.length ? [smallest] : []), ...others];
};

const BY_TYPE: Readonly<Record<string, (schema: StoredJsonSchema) => unknown[]>> = {
  string: (schema) => [textOf(schema)],
  number: (schema) => [numberOf(schema)],
  integer: (schema) => [numberOf(schema)],
  boolean: () => [true, false],
  null: () => [null],
  array: arraysOf,
  object: objectsOf,
};

const BY_KIND = { binary: new Uint8Array([0, 255]), numbers: new Set([1, 2]) };

export const makeSamples = (schema: StoredJsonSchema): unknown[] => {
  if (schema.stored) return [BY_KIND[schema.stored]];
  if (schema.enum) return schema.enum;
  if ('const' in schema) return [schema.const];
  const branches = (schema.anyOf ?? schema.oneOf) as StoredJsonSchema[] | undefined;
  if (branches) return branches.flatMap(makeSamples);
  if (schema.type === undefined) return [ANYTHING];
  return [schema.type].flat().flatMap((type) => BY_TYPE[type]!(schema));
};
