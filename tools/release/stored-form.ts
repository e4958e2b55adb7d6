/**
 * Describes the form of a stored item as data. A release stores the form of each codec, so that a later version can
 * check what the release's code reads and wrote. With the form, `readItem` and `writeItem` work as the release's codec
 * does (shared/table/item.ts).
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as z from 'zod';
import type { ItemCodec } from '#shared/table/item.ts';

type StoredValues = Record<string, unknown>;
export type StoredJsonSchema = z.core.JSONSchema.BaseSchema & {
  /** Set for a type that JSON lacks: a binary attribute, or a set of numbers. */
  stored?: 'binary' | 'numbers';
};

export interface StoredForm {
  /** Field in code → attribute in the table. */
  attributes: Record<string, string>;
  /** Fields that are null in code and absent in the table. */
  absent: string[];
  /** Fields that are lists in code and sets in the table. */
  sets: string[];
  /** Schema of the fields in code, as they are read. */
  schema: StoredJsonSchema;
}

/**
 * Returns the type that a custom check accepts. JSON Schema cannot describe the check, so the function tries values.
 */
const storedAs = (schema: z.core.$ZodType): StoredJsonSchema['stored'] => {
  const accepts = (value: unknown): boolean => z.safeParse(schema, value).success;
  if (accepts('text')) return undefined;
  if (accepts(new Uint8Array(1))) return 'binary';
  return accepts(new Set([1])) ? 'numbers' : undefined;
};

export const describeForm = ({ form: { schema, options }, attributes }: ItemCodec<unknown>): StoredForm => {
  const { $schema, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type !== 'custom') return;
      const stored = storedAs(zodSchema);
      if (stored !== undefined) (jsonSchema as StoredJsonSchema).stored = stored;
    },
  });
  return {
    attributes: Object.fromEntries(Object.keys(schema.shape).map((field, at) => [field, attributes[at]!])),
    absent: [...((options.absent ?? []) as readonly string[])],
    sets: [...((options.sets ?? []) as readonly string[])],
    schema: json as StoredJsonSchema,
  };
};

export const writeItem = ({ attributes, absent, sets }: StoredForm, entity: StoredValues): StoredValues => {
  const item: StoredValues = {};
  for (const [field, attribute] of Object.entries(attributes)) {
    const value = entity[field];
    if (value === undefined || (value === null && absent.includes(field))) continue;
    if (!sets.includes(field)) item[attribute] = value;
    else if ((value as unknown[]).length > 0) item[attribute] = new Set(value as unknown[]);
  }
  return item;
};

const fieldsOf = ({ attributes, absent, sets }: StoredForm, item: Readonly<StoredValues>): StoredValues => {
  const fields: StoredValues = {};
  for (const [field, attribute] of Object.entries(attributes)) {
    const value = item[attribute];
    if (sets.includes(field)) fields[field] = value instanceof Set || value === undefined ? [...(value ?? [])] : value;
    else if (value !== undefined) fields[field] = value;
    else if (absent.includes(field)) fields[field] = null;
  }
  return fields;
};

const isOfKind = (kind: StoredJsonSchema['stored'], value: unknown): boolean =>
  kind === 'binary'
    ? value instanceof Uint8Array
    : value instanceof Set && [...value].every((each) => typeof each === 'number');

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
addFormats.default(ajv);
ajv.addKeyword({ keyword: 'stored', schemaType: 'string', validate: isOfKind });

/** Each form is compiled once, because it is read many times. */
const compiled = new WeakMap<StoredForm, ValidateFunction>();
const validatorOf = (form: StoredForm): ValidateFunction => {
  const known = compiled.get(form) ?? ajv.compile(form.schema);
  compiled.set(form, known);
  return known;
};

const fieldAt = ({ instancePath, params }: ErrorObject): string =>
  instancePath.split('/')[1] ?? String(params.missingProperty ?? '');

/**
 * Returns the attributes because of which the form's code would refuse the item; empty when the code reads the item.
 */
export const findRefused = (form: StoredForm, item: Readonly<StoredValues>): string[] => {
  const validate = validatorOf(form);
  if (validate(fieldsOf(form, item))) return [];
  return [...new Set(validate.errors!.map(fieldAt).map((field) => form.attributes[field] ?? field))];
};
