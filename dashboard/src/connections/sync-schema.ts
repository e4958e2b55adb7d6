/** Input of a sync of several scopes: the union of their schemas, as the API validates it (decisions.md §5). */
import type { RJSFSchema } from '@rjsf/utils';

/** First and last month express the same, and are easier for a person. */
const LEFT_OUT = 'periods';

export const syncSchemaOf = (schemas: readonly Record<string, unknown>[]): RJSFSchema => {
  const properties: NonNullable<RJSFSchema['properties']> = {};
  for (const schema of schemas as RJSFSchema[]) Object.assign(properties, schema.properties);
  const { [LEFT_OUT]: _, ...shown } = properties;
  return { type: 'object', properties: shown, additionalProperties: false };
};
