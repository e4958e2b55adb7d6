/** Finds the schema at a path, looking through optional, nullable, default and similar wrappers. */
import type { $ZodType } from 'zod/v4/core';

interface Definition {
  type: string;
  innerType?: $ZodType;
  element?: $ZodType;
  shape?: Record<string, $ZodType>;
  values?: readonly unknown[];
}

export const readDefinition = (schema: $ZodType): Definition => schema._zod.def as unknown as Definition;

export const unwrap = (schema: $ZodType): $ZodType => {
  let at = schema;
  for (let inner = readDefinition(at).innerType; inner; inner = readDefinition(at).innerType) at = inner;
  return at;
};

export const schemaAt = (schema: $ZodType, path: readonly PropertyKey[]): $ZodType | undefined => {
  let at = unwrap(schema);
  for (const part of path) {
    const { shape, element } = readDefinition(at);
    const next = typeof part === 'number' ? element : shape?.[String(part)];
    if (!next) return undefined;
    at = unwrap(next);
  }
  return at;
};

interface NumberTraits {
  minValue?: number | null;
  maxValue?: number | null;
  isInt?: boolean;
}

/** Returns the bounds of a number, and whether it must be an integer, as zod stores them. */
export const numberTraits = (schema: $ZodType | undefined): NumberTraits => (schema ?? {}) as NumberTraits;
