/** What a sync of several scopes may be told: the union of their schemas, as the API judges it (decisions.md §5). */
import type { RJSFSchema } from '@rjsf/utils';

/** A first and a last month say the same, and are what a person thinks in. */
const LEFT_OUT = 'periods';

export const mergeSyncSchemas = (schemas: readonly Record<string, unknown>[]): RJSFSchema => {
  const properties: NonNullable<RJSFSchema['properties']> = {};
  for (const schema of schemas as RJSFSchema[]) Object.assign(properties, schema.properties);
  const { [LEFT_OUT]: _, ...shown } = properties;
  return { type: 'object', properties: shown, additionalProperties: false };
};
