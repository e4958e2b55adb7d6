/** Merges the schemas of several scopes into the input schema of one sync, as the API does (decisions.md §5). */
import type { RJSFSchema } from '@rjsf/utils';

/** The form omits the list of periods, because first and last month are easier for a person than a list. */
const LEFT_OUT = 'periods';

export const mergeSyncSchemas = (schemas: readonly Record<string, unknown>[]): RJSFSchema => {
  const properties: NonNullable<RJSFSchema['properties']> = {};
  for (const schema of schemas as RJSFSchema[]) Object.assign(properties, schema.properties);
  const { [LEFT_OUT]: _, ...shown } = properties;
  return { type: 'object', properties: shown, additionalProperties: false };
};
