/**
 * Converts zod schemas to the JSON Schema of OpenAPI 3.1: named objects become components, and details that only zod
 * needs are removed.
 */

import * as z from 'zod';
import type { $ZodType } from 'zod/v4/core';
import { readDefinition } from '#shared/http/request/schema-at.ts';
import { HINT } from '#shared/values/hint.ts';

export type SchemaJson = Record<string, unknown>;

const REFERENCE = '#/components/schemas/';
export const reference = (name: string): SchemaJson => ({ $ref: `${REFERENCE}${name}` });
export const referenced = (schema: SchemaJson): string | undefined =>
  typeof schema.$ref === 'string' ? schema.$ref.slice(REFERENCE.length) : undefined;

const isJson = (value: unknown): value is SchemaJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Turns `anyOf: [X, null]` into `type: [x, 'null']`, which readers and generators handle better. */
const withNull = (schema: SchemaJson): void => {
  const [one, other, ...more] = Array.isArray(schema.anyOf) ? (schema.anyOf as SchemaJson[]) : [];
  if (!one || !other || more.length > 0 || other.type !== 'null' || typeof one.type !== 'string') return;
  const { description, ...rest } = one;
  delete schema.anyOf;
  const own = { ...schema };
  for (const key of Object.keys(schema)) delete schema[key];
  Object.assign(schema, description === undefined ? {} : { description }, rest, { type: [one.type, 'null'] }, own);
  if (Array.isArray(one.enum)) schema.enum = [...(one.enum as unknown[]), null];
};

/**
 * Splits a nullable enum into two schemas: generators build a type from an enum, and null must not be one of its
 * values.
 */
const withNullApart = (schema: SchemaJson): void => {
  const { type, enum: values, ...declared } = schema;
  if (!Array.isArray(values) || !values.includes(null)) return;
  const plain = Array.isArray(type) ? (type as unknown[]).find((each) => each !== 'null') : type;
  for (const key of Object.keys(schema)) delete schema[key];
  const named = { type: plain, enum: (values as unknown[]).filter((value) => value !== null) };
  Object.assign(schema, declared, { anyOf: [named, { type: 'null' }] });
};

/** Describes an instant of an answer in words, because generators refuse a `pattern` together with `date-time`. */
const INSTANT = 'UTC, with milliseconds.';

const FORMATS_WITHOUT_PATTERN: ReadonlySet<unknown> = new Set(['uuid', 'date', 'date-time']);

/** Removes patterns of ids, dates and instants, since `format` already says the same. */
const withoutPattern = (schema: SchemaJson): void => {
  if (!FORMATS_WITHOUT_PATTERN.has(schema.format)) return;
  if (schema.format === 'date-time' && String(schema.pattern).includes('\\d{3}')) {
    const declared = typeof schema.description === 'string' ? `${schema.description} ` : '';
    schema.description = `${declared}${INSTANT}`;
  }
  delete schema.pattern;
};

/** Adds the `type` of an enum, because generators give the enum a named type only if `type` is present. */
const withType = (schema: SchemaJson): void => {
  if (schema.type !== undefined || !Array.isArray(schema.enum)) return;
  const values = (schema.enum as unknown[]).filter((value) => value !== null);
  const type = values.every(Number.isInteger) ? 'integer' : 'string';
  if (type === 'string' && !values.every((value) => typeof value === 'string')) return;
  schema.type = values.length < schema.enum.length ? [type, 'null'] : type;
};

/**
 * Removes keywords that zod adds and that say nothing, and adds types that generators need.
 * @param declared properties that the schema itself declares; they stay
 */
const withoutNoise = (schema: SchemaJson, declared: SchemaJson): void => {
  withoutPattern(schema);
  withType(schema);
  withNullApart(schema);
  if (!('maximum' in declared) && Math.abs(Number(schema.maximum)) >= Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (Math.abs(Number(schema.minimum)) >= Number.MAX_SAFE_INTEGER) delete schema.minimum;
  if (isJson(schema.additionalProperties) && Object.keys(schema.additionalProperties).length === 0)
    schema.additionalProperties = true;
  if (isJson(schema.propertyNames) && schema.propertyNames.type === 'string') delete schema.propertyNames;
};

const registered = (schema: $ZodType): SchemaJson => {
  const { id: _id, [HINT]: _hint, ...declared } = (z.globalRegistry.get(schema as never) ?? {}) as SchemaJson;
  return declared;
};

export interface SchemaRegistry {
  /** Returns the JSON Schema of the input, with references to components. */
  of(schema: z.ZodType): SchemaJson;
  /** Returns the schemas of all components so far, by name. */
  components(): Record<string, SchemaJson>;
}

/**
 * Creates a registry that converts schemas and collects their components.
 * @param names schemas that become components, in addition to schemas with their own id
 */
export const createSchemas = (names: ReadonlyMap<unknown, string>): SchemaRegistry => {
  const components = new Map<string, SchemaJson>();
  const nameOf = (schema: unknown): string | undefined =>
    names.get(schema) ?? z.globalRegistry.get(schema as never)?.id;
  /**
   * Returns the metadata of a schema together with the metadata of its inner schemas, because zod drops the metadata of
   * the inner schema in `….optional().describe()`.
   */
  const declaredBy = (schema: $ZodType): SchemaJson => {
    const { innerType } = readDefinition(schema);
    const isPlain = innerType !== undefined && nameOf(innerType) === undefined;
    return { ...(isPlain ? declaredBy(innerType) : {}), ...registered(schema) };
  };
  return {
    of: (schema) => {
      // Ids are handled here, because zod would turn them into `$defs`.
      const metadata = z.registry<SchemaJson>();
      const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
        io: 'input',
        target: 'draft-2020-12',
        unrepresentable: 'any',
        metadata: metadata as never,
        override: ({ zodSchema, jsonSchema }) => {
          const target = jsonSchema as SchemaJson;
          const declared = declaredBy(zodSchema);
          Object.assign(target, declared);
          withNull(target);
          withoutNoise(target, declared);
          const name = nameOf(zodSchema);
          if (name === undefined) return;
          components.set(name, { ...target });
          for (const key of Object.keys(target)) delete target[key];
          Object.assign(target, reference(name));
        },
      });
      return json as SchemaJson;
    },
    components: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
};
