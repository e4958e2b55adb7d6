/** zod → JSON Schema as OpenAPI 3.1 has it: named objects become components, and what only zod needs is taken out. */
import * as z from 'zod';
import type { $ZodType } from 'zod/v4/core';
import { definitionOf } from '#shared/http/request/schema-at.ts';

export type Json = Record<string, unknown>;

const REFERENCE = '#/components/schemas/';
export const reference = (name: string): Json => ({ $ref: `${REFERENCE}${name}` });
export const referenced = (schema: Json): string | undefined =>
  typeof schema.$ref === 'string' ? schema.$ref.slice(REFERENCE.length) : undefined;

/** An instant as it leaves the service: UTC with milliseconds. */
const INSTANT = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$';

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** `anyOf: [X, null]` → `type: [x, 'null']`, which readers and generators take better. */
const withNull = (schema: Json): void => {
  const [one, other, ...more] = Array.isArray(schema.anyOf) ? (schema.anyOf as Json[]) : [];
  if (!one || !other || more.length > 0 || other.type !== 'null' || typeof one.type !== 'string') return;
  const { description, ...rest } = one;
  delete schema.anyOf;
  const own = { ...schema };
  for (const key of Object.keys(schema)) delete schema[key];
  Object.assign(schema, description === undefined ? {} : { description }, rest, { type: [one.type, 'null'] }, own);
  if (Array.isArray(one.enum)) schema.enum = [...(one.enum as unknown[]), null];
};

/** Patterns of ids and dates spell out what `format` says in a word. */
const withoutNoise = (schema: Json): void => {
  if (schema.format === 'uuid') delete schema.pattern;
  if (schema.format === 'date') delete schema.pattern;
  if (schema.format === 'date-time' && typeof schema.pattern === 'string') {
    if (schema.pattern.includes('\\d{3}')) schema.pattern = INSTANT;
    else delete schema.pattern;
  }
  if (Math.abs(Number(schema.maximum)) >= Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (Math.abs(Number(schema.minimum)) >= Number.MAX_SAFE_INTEGER) delete schema.minimum;
  if (isJson(schema.additionalProperties) && Object.keys(schema.additionalProperties).length === 0)
    schema.additionalProperties = true;
  if (isJson(schema.propertyNames) && schema.propertyNames.type === 'string') delete schema.propertyNames;
};

const registered = (schema: $ZodType): Json => {
  const { id: _id, ...told } = (z.globalRegistry.get(schema as never) ?? {}) as Json;
  return told;
};

export interface Schemas {
  /** Schema of what is sent, components referenced. */
  of(schema: z.ZodType): Json;
  /** Name → schema of every component met so far. */
  components(): Record<string, Json>;
}

/** @param names schemas that become components, besides those that carry an id themselves */
export const createSchemas = (names: ReadonlyMap<unknown, string>): Schemas => {
  const components = new Map<string, Json>();
  const nameOf = (schema: unknown): string | undefined =>
    names.get(schema) ?? z.globalRegistry.get(schema as never)?.id;
  /** Of a schema and of what it wraps: where a description comes last (`….optional().describe()`), zod drops the latter. */
  const toldOf = (schema: $ZodType): Json => {
    const { innerType } = definitionOf(schema);
    const isPlain = innerType !== undefined && nameOf(innerType) === undefined;
    return { ...(isPlain ? toldOf(innerType) : {}), ...registered(schema) };
  };
  return {
    of: (schema) => {
      // Ids are handled here: zod would make `$defs` of them.
      const metadata = z.registry<Json>();
      const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
        io: 'input',
        target: 'draft-2020-12',
        unrepresentable: 'any',
        metadata: metadata as never,
        override: ({ zodSchema, jsonSchema }) => {
          const target = jsonSchema as Json;
          Object.assign(target, toldOf(zodSchema));
          withNull(target);
          withoutNoise(target);
          const name = nameOf(zodSchema);
          if (name === undefined) return;
          components.set(name, { ...target });
          for (const key of Object.keys(target)) delete target[key];
          Object.assign(target, reference(name));
        },
      });
      return json as Json;
    },
    components: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
};
