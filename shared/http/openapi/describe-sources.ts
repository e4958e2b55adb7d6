/**
 * Describes sources and scopes for integrators, derived from the schemas that validate requests. The descriptions are
 * generated in advance, so that no function contains zod's JSON Schema converter (infra/bundle.ts leaves it out).
 */
import * as z from 'zod';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import type { SourceManifest } from '#shared/sources/source.ts';
import { HINT } from '#shared/values/hint.ts';
import type { DescribedScope, DescribedSource } from '../views/described-source.ts';

export const SOURCE_DESCRIPTIONS = 'shared/http/views/described-sources.gen.json';

/** The pattern of a search text says the same as its lengths. */
const ANY_TEXT = '^[\\s\\S]{1,64}$';

/** Descriptions of `limit` and `offset`, which say no more than the names. */
const SAID_BY_NAME: ReadonlySet<string> = new Set(['Page size.', 'Rows to skip.']);

/** Removes keywords that repeat others: a list of connections contains each descriptor once per connection. */
const withoutRepetitions = (published: z.core.JSONSchema.BaseSchema): void => {
  if (published.format !== undefined || published.pattern === ANY_TEXT) delete published.pattern;
  if (published.description !== undefined && SAID_BY_NAME.has(published.description)) delete published.description;
};

/** Returns the schema of the input: fields with defaults are optional. */
const jsonSchema = (schema: z.ZodType): Record<string, unknown> => ({
  ...z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-2020-12',
    override: ({ jsonSchema: published }) => {
      delete published[HINT];
    },
  }),
});

/** The schema in a descriptor of a scope. The description says which draft it is. */
const descriptorSchema = (schema: z.ZodType): Record<string, unknown> => {
  const { $schema: _, ...published } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      delete jsonSchema[HINT];
      withoutRepetitions(jsonSchema);
    },
  });
  return published;
};

const describeScope = ({
  name,
  label,
  resource,
  listPath,
  filters,
  syncMetadata,
}: ScopeDefinition): DescribedScope => ({
  name,
  label,
  resource,
  listPath: listPath ?? null,
  filters: resource === null && listPath === undefined ? null : descriptorSchema(filters),
  sync_metadata: descriptorSchema(syncMetadata),
});

/**
 * Returns the descriptions as JSON, by source code, in the order of the manifests. Each source contains its scopes in
 * the order of its manifest.
 */
export const describeSources = (
  manifests: readonly SourceManifest[],
  definitions: readonly ScopeDefinition[],
): string => {
  const described = manifests.map(({ code, scopes, credentialsSchema, metadataSchema }): [string, DescribedSource] => [
    code,
    {
      credentials: jsonSchema(credentialsSchema),
      metadata: jsonSchema(metadataSchema),
      scopes: scopes.flatMap((name) =>
        definitions.filter((scope) => scope.source === code && scope.name === name).map(describeScope),
      ),
    },
  ]);
  return `${JSON.stringify(Object.fromEntries(described), null, 2)}\n`;
};
