/** Input of a sync of several scopes: the union of their schemas, as the API validates it (decisions.md §5). */
import type { RJSFSchema } from '@rjsf/utils';

/** The form omits the list of periods: first and last month say the same, and are easier for a person. */
const LEFT_OUT = 'periods';

export const mergeSyncSchemas = (schemas: readonly Record<string, unknown>[]): RJSFSchema => {
  const properties: NonNullable<RJSFSchema['properties']> = {};
  for (const schema of schemas as RJSFSchema[]) Object.assign(properties, schema.properties);
  const { [LEFT_OUT]: _, ...shown } = properties;
  return { type: 'object', properties: shown, additionalProperties: false };
};
