/**
 * Builds a plausible value for the schema of a request: the schema's own example, otherwise a value that fits its name,
 * format or type. Examples of answers are recorded from a running service (tools/examples).
 */
import { BY_FORMAT, BY_NAME } from './example-values.ts';
import { referenced, type SchemaJson } from './json-schema.ts';

export type Components = Readonly<Record<string, SchemaJson>>;

const first = (value: unknown): unknown => (Array.isArray(value) ? (value as unknown[])[0] : undefined);

const objectExample = (schema: SchemaJson, components: Components): SchemaJson => {
  const isAllOptional = !Array.isArray(schema.required) || schema.required.length === 0;
  return Object.fromEntries(
    Object.entries((schema.properties ?? {}) as Record<string, SchemaJson>)
      // Optional properties are left out to keep the example short. If all properties are optional, the first property
      // is shown.
      .filter(
        ([name], at) => ((schema.required as string[] | undefined) ?? []).includes(name) || (isAllOptional && at === 0),
      )
      .map(([name, property]) => [name, buildExample(property, components, name)]),
  );
};

const byType = (type: unknown, schema: SchemaJson, components: Components, name: string): unknown => {
  switch (type) {
    case 'array':
      return [buildExample((schema.items ?? {}) as SchemaJson, components, name)];
    case 'integer':
    case 'number':
      return Number(schema.minimum ?? 0);
    case 'boolean':
      return true;
    case 'string':
      return name === '' ? 'text' : `${name.replaceAll('_', ' ')}`;
    default:
      return null;
  }
};

export const buildExample = (schema: SchemaJson, components: Components, name = ''): unknown => {
  const named = referenced(schema);
  if (named !== undefined) return buildExample(components[named] ?? {}, components, name);
  for (const given of [first(schema.examples), schema.const, first(schema.enum), schema.default])
    if (given !== undefined) return given;
  if (Array.isArray(schema.anyOf)) return buildExample(schema.anyOf[0] as SchemaJson, components, name);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object') return objectExample(schema, components);
  if (type !== 'array' && name in BY_NAME) return BY_NAME[name];
  return BY_FORMAT[String(schema.format)] ?? byType(type, schema, components, name);
};
