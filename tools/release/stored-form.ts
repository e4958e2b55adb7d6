/**
 * Describes the form of a stored item as data. A release stores the form of each codec. A later version can then check
 * what the release's code reads and writes, because `readItem` and `writeItem` use the form as the release's codec did
 * (shared/table/item.ts).
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as z from 'zod';
import type { ItemCodec } from '#shared/table/item.ts';

type StoredValues = Record<string, unknown>;
export type StoredJsonSchema = z.core.JSONSchema.BaseSchema & {
  /** Set for a type that JSON lacks: `binary` for a binary attribute, `numbers` for a set of numbers. */
  stored?: 'binary' | 'numbers';
};

export interface StoredForm {
  /** Name of the field in code → name of the attribute in the table. */
  attributes: Record<string, string>;
  /** Fields that are null in code and absent in the table. */
  absent: string[];
  /** Fields that are lists in code and sets in the table. */
  sets: string[];
  /** Schema of the fields in code, as they are read. */
  schema: StoredJsonSchema;
}

/**
 * Returns the type that a custom check of a schema accepts. The function tries values, because JSON Schema cannot
 * describe such a check.
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

/** Compiled validators by form; each form is compiled only once, because many items are checked with it. */
const compiled = new WeakMap<StoredForm, ValidateFunction>();
const validatorOf = (form: StoredForm): ValidateFunction => {
  const known = compiled.get(form) ?? ajv.compile(form.schema);
  compiled.set(form, known);
  return known;
};

const fieldAt = ({ instancePath, params }: ErrorObject): string =>
  instancePath.split('/')[1] ?? String(params.missingProperty ?? '');

/** Returns the attributes that the code with this form would refuse; empty when this code reads the item. */
export const findRefused = (form: StoredForm, item: Readonly<StoredValues>): string[] => {
  const validate = validatorOf(form);
  if (validate(fieldsOf(form, item))) return [];
  return [...new Set(validate.errors!.map(fieldAt).map((field) => form.attributes[field] ?? field))];
};
