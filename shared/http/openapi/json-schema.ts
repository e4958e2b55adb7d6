/** zod → JSON Schema as OpenAPI 3.1 has it: named objects become components, and what only zod needs is taken out. */
import * as z from 'zod';
import type { $ZodType } from 'zod/v4/core';
import { readDefinition } from '#shared/http/request/schema-at.ts';

export type SchemaJson = Record<string, unknown>;

const REFERENCE = '#/components/schemas/';
export const reference = (name: string): SchemaJson => ({ $ref: `${REFERENCE}${name}` });
export const referenced = (schema: SchemaJson): string | undefined =>
  typeof schema.$ref === 'string' ? schema.$ref.slice(REFERENCE.length) : undefined;

const isJson = (value: unknown): value is SchemaJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `anyOf: [X, null]` → `type: [x, 'null']`, which readers and generators take better. */
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

/** An enum that may be null, as two schemas: generators make a type of an enum, and null is no value of one. */
const withNullApart = (schema: SchemaJson): void => {
  const { type, enum: values, ...told } = schema;
  if (!Array.isArray(values) || !values.includes(null)) return;
  const plain = Array.isArray(type) ? (type as unknown[]).find((each) => each !== 'null') : type;
  for (const key of Object.keys(schema)) delete schema[key];
  const named = { type: plain, enum: (values as unknown[]).filter((value) => value !== null) };
  Object.assign(schema, told, { anyOf: [named, { type: 'null' }] });
};

/** An instant as it leaves the service: in words, for generators refuse a `pattern` beside `date-time`. */
const INSTANT = 'UTC, with milliseconds.';

const FORMATS_WITHOUT_PATTERN: ReadonlySet<unknown> = new Set(['uuid', 'date', 'date-time']);

/** Patterns of ids, dates and instants spell out what `format` says in a word. */
const withoutPattern = (schema: SchemaJson): void => {
  if (!FORMATS_WITHOUT_PATTERN.has(schema.format)) return;
  if (schema.format === 'date-time' && String(schema.pattern).includes('\\d{3}')) {
    const told = typeof schema.description === 'string' ? `${schema.description} ` : '';
    schema.description = `${told}${INSTANT}`;
  }
  delete schema.pattern;
};

/** Generators name a type for an enum only where `type` stands beside it. */
const withType = (schema: SchemaJson): void => {
  if (schema.type !== undefined || !Array.isArray(schema.enum)) return;
  const values = (schema.enum as unknown[]).filter((value) => value !== null);
  const type = values.every(Number.isInteger) ? 'integer' : 'string';
  if (type === 'string' && !values.every((value) => typeof value === 'string')) return;
  schema.type = values.length < schema.enum.length ? [type, 'null'] : type;
};

/** @param told what the schema says of itself, which stays */
const withoutNoise = (schema: SchemaJson, told: SchemaJson): void => {
  withoutPattern(schema);
  withType(schema);
  withNullApart(schema);
  if (!('maximum' in told) && Math.abs(Number(schema.maximum)) >= Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (Math.abs(Number(schema.minimum)) >= Number.MAX_SAFE_INTEGER) delete schema.minimum;
  if (isJson(schema.additionalProperties) && Object.keys(schema.additionalProperties).length === 0)
    schema.additionalProperties = true;
  if (isJson(schema.propertyNames) && schema.propertyNames.type === 'string') delete schema.propertyNames;
};

const registered = (schema: $ZodType): SchemaJson => {
  const { id: _id, ...told } = (z.globalRegistry.get(schema as never) ?? {}) as SchemaJson;
  return told;
};

export interface SchemaRegistry {
  /** Schema of what is sent, components referenced. */
  of(schema: z.ZodType): SchemaJson;
  /** Name → schema of every component met so far. */
  components(): Record<string, SchemaJson>;
}

/** @param names schemas that become components, besides those that carry an id themselves */
export const createSchemas = (names: ReadonlyMap<unknown, string>): SchemaRegistry => {
  const components = new Map<string, SchemaJson>();
  const nameOf = (schema: unknown): string | undefined =>
    names.get(schema) ?? z.globalRegistry.get(schema as never)?.id;
  /** Of a schema and of what it wraps: where a description comes last (`….optional().describe()`), zod drops the latter. */
  const toldOf = (schema: $ZodType): SchemaJson => {
    const { innerType } = readDefinition(schema);
    const isPlain = innerType !== undefined && nameOf(innerType) === undefined;
    return { ...(isPlain ? toldOf(innerType) : {}), ...registered(schema) };
  };
  return {
    of: (schema) => {
      // Ids are handled here: zod would make `$defs` of them.
      const metadata = z.registry<SchemaJson>();
      const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
        io: 'input',
        target: 'draft-2020-12',
        unrepresentable: 'any',
        metadata: metadata as never,
        override: ({ zodSchema, jsonSchema }) => {
          const target = jsonSchema as SchemaJson;
          const told = toldOf(zodSchema);
          Object.assign(target, told);
          withNull(target);
          withoutNoise(target, told);
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
