/**
 * The form of a stored item as data: what a release stores of a codec, so that a later version can check what the
 * release's code reads and wrote. `readItem` and `writeItem` use it as the release's codec does (shared/table/item.ts).
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as z from 'zod';
import type { ItemCodec } from '#shared/table/item.ts';

type Values = Record<string, unknown>;
export type JsonSchema = z.core.JSONSchema.BaseSchema & {
  /** Types that JSON lacks: a binary attribute, a set of numbers. */
  stored?: 'binary' | 'numbers';
};

export interface StoredForm {
  /** Field of the code → attribute of the table. */
  attributes: Record<string, string>;
  /** Fields that are null in code and absent in the table. */
  absent: string[];
  /** Fields that are lists in code and sets in the table. */
  sets: string[];
  /** Schema of the fields in code, as they are read. */
  schema: JsonSchema;
}

/** Finds what a custom check accepts by trying values, because JSON Schema cannot describe it. */
const storedAs = (schema: z.core.$ZodType): JsonSchema['stored'] => {
  const accepts = (value: unknown): boolean => z.safeParse(schema, value).success;
  if (accepts('text')) return undefined;
  if (accepts(new Uint8Array(1))) return 'binary';
  return accepts(new Set([1])) ? 'numbers' : undefined;
};

export const formOf = ({ form: { schema, options }, attributes }: ItemCodec<unknown>): StoredForm => {
  const { $schema, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type !== 'custom') return;
      const stored = storedAs(zodSchema);
      if (stored !== undefined) (jsonSchema as JsonSchema).stored = stored;
    },
  });
  return {
    attributes: Object.fromEntries(Object.keys(schema.shape).map((field, at) => [field, attributes[at]!])),
    absent: [...((options.absent ?? []) as readonly string[])],
    sets: [...((options.sets ?? []) as readonly string[])],
    schema: json as JsonSchema,
  };
};

export const writeItem = ({ attributes, absent, sets }: StoredForm, entity: Values): Values => {
  const item: Values = {};
  for (const [field, attribute] of Object.entries(attributes)) {
    const value = entity[field];
    if (value === undefined || (value === null && absent.includes(field))) continue;
    if (!sets.includes(field)) item[attribute] = value;
    else if ((value as unknown[]).length > 0) item[attribute] = new Set(value as unknown[]);
  }
  return item;
};

const fieldsOf = ({ attributes, absent, sets }: StoredForm, item: Readonly<Values>): Values => {
  const fields: Values = {};
  for (const [field, attribute] of Object.entries(attributes)) {
    const value = item[attribute];
    if (sets.includes(field)) fields[field] = value instanceof Set || value === undefined ? [...(value ?? [])] : value;
    else if (value !== undefined) fields[field] = value;
    else if (absent.includes(field)) fields[field] = null;
  }
  return fields;
};

const isOfKind = (kind: JsonSchema['stored'], value: unknown): boolean =>
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

/** Attributes because of which the form's code would refuse the item; empty when it reads the item. */
export const refusedOf = (form: StoredForm, item: Readonly<Values>): string[] => {
  const validate = validatorOf(form);
  if (validate(fieldsOf(form, item))) return [];
  return [...new Set(validate.errors!.map(fieldAt).map((field) => form.attributes[field] ?? field))];
};
