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
  filters: resource === null && listPath === undefined ? null : jsonSchema(filters),
  sync_metadata: jsonSchema(syncMetadata),
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
