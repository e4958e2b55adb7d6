/** Reads null as absent, because clients in Go, Java and C# write it for properties that they leave out. */
import type * as z from 'zod';

/** Returns the object without its optional properties that are null. A null elsewhere stays, for the schema to refuse. */
export const dropAbsentNulls = (
  schema: z.ZodObject,
  sent: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(sent).filter(
      ([name, value]) =>
        value !== null || (schema.shape[name] as z.ZodType | undefined)?.safeParse(undefined).success !== true,
    ),
  );
