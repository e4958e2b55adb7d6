/** One plausible value for any schema: its own example, else one that fits its name, format or type. */
import { BY_COMPONENT, BY_FORMAT, BY_NAME } from './example-values.ts';
import { type Json, referenced } from './json-schema.ts';

const UUIDS = '4f9d3c52-7a1e-4b60-9c8d-';
/** Different names give different ids, the same ones each time. */
const uuidFor = (name: string): string => {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)!) % 0xffff_ffff;
  return `${UUIDS}${sum.toString(16).padStart(12, '0')}`;
};

export type Components = Readonly<Record<string, Json>>;

const first = (value: unknown): unknown => (Array.isArray(value) ? (value as unknown[])[0] : undefined);

const byPattern = (pattern: unknown): unknown => {
  if (typeof pattern !== 'string') return undefined;
  if (pattern === '^\\d{4}-(0[1-9]|1[0-2])$') return '2026-10';
  return pattern.startsWith('^-?\\d+') ? '1190' : undefined;
};

const objectExample = (schema: Json, components: Components, component: string | undefined): Json => {
  // What must be so in this object, whatever its properties say by themselves.
  const given = BY_COMPONENT[component ?? ''] ?? {};
  const isAllOptional = !Array.isArray(schema.required) || schema.required.length === 0;
  return Object.fromEntries(
    Object.entries((schema.properties ?? {}) as Record<string, Json>)
      // What may be left out is: the example shows the short form. Where all may be, the first alone is shown.
      .filter(
        ([name], at) => ((schema.required as string[] | undefined) ?? []).includes(name) || (isAllOptional && at === 0),
      )
      .map(([name, property]) => [name, name in given ? given[name] : exampleOf(property, components, name)]),
  );
};

const byType = (type: unknown, schema: Json, components: Components, name: string): unknown => {
  switch (type) {
    case 'array':
      return [exampleOf((schema.items ?? {}) as Json, components, name)];
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

export const exampleOf = (schema: Json, components: Components, name = '', component?: string): unknown => {
  const named = referenced(schema);
  if (named !== undefined) return exampleOf(components[named] ?? {}, components, name, named);
  for (const given of [first(schema.examples), schema.const, first(schema.enum), schema.default])
    if (given !== undefined) return given;
  if (Array.isArray(schema.anyOf)) return exampleOf(schema.anyOf[0] as Json, components, name);
  if (schema.format === 'uuid') return uuidFor(name);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object') return objectExample(schema, components, component);
  if (type !== 'array' && name in BY_NAME) return BY_NAME[name];
  return BY_FORMAT[String(schema.format)] ?? byPattern(schema.pattern) ?? byType(type, schema, components, name);
};
