/** How a scope is described to integrators, in both places that do: external sources and connections. */
import * as z from 'zod';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import type { SourceManifest } from '#shared/sources/source.ts';

const jsonSchema = () =>
  z
    .record(z.string(), z.unknown())
    .describe('JSON Schema, draft 2020-12.')
    .meta({ examples: [{ type: 'object' }] });

export const ScopeDescriptor = z
  .object({
    name: z.string().meta({ examples: ['rcv'] }),
    label: z.string().meta({ examples: ['Registro de compras y ventas'] }),
    data_url: z.string().nullable().describe('Relative URL of the data of this scope.'),
    filters: jsonSchema().nullable().describe('JSON Schema of the query parameters of data_url.'),
    sync_metadata: jsonSchema().describe('JSON Schema of `metadata` of a sync request.'),
  })
  .meta({ id: 'ScopeDescriptor' });

export const ExtSourceScope = z
  .object({
    name: z.string().meta({ examples: ['rcv'] }),
    label: z.string().meta({ examples: ['Registro de compras y ventas'] }),
    sync_metadata: jsonSchema().describe('JSON Schema of `metadata` of a sync request.'),
    data_path_template: z.string().nullable().describe('Path of the data; {connection_id} is replaced.'),
    filters: jsonSchema().nullable().describe('JSON Schema of the query parameters of the path.'),
  })
  .meta({ id: 'ExtSourceScope' });

/** Schemas never change while a function lives, and a list of connections needs the same few again and again. */
const made = new WeakMap<z.ZodType, Record<string, unknown>>();

/** What may be sent, defaults included: made of the very schema that judges it. */
export const toJsonSchema = (schema: z.ZodType): Record<string, unknown> => {
  const known = made.get(schema);
  if (known) return known;
  const fresh = { ...z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' }) };
  made.set(schema, fresh);
  return fresh;
};

/** Definitions of the named scopes of a source, in the source's order. */
const definitionsOf = (manifest: SourceManifest, names: readonly string[]): ScopeDefinition[] =>
  manifest.scopes
    .filter((name) => names.includes(name))
    .flatMap((name) => SCOPES.filter((scope) => scope.source === manifest.code && scope.name === name));

/** Path of a scope's list below a connection; null where the data are not read by connection. */
const dataPath = (scope: ScopeDefinition, connectionId: string): string | null =>
  scope.resource === null ? null : `/api/connections/${connectionId}/${scope.resource}`;

const filtersOf = (scope: ScopeDefinition): Record<string, unknown> | null =>
  scope.resource === null ? null : toJsonSchema(scope.filters);

export const toScopeDescriptors = (
  manifest: SourceManifest,
  enabledScopes: readonly string[],
  connectionId: string,
): z.infer<typeof ScopeDescriptor>[] =>
  definitionsOf(manifest, enabledScopes).map((scope) => ({
    name: scope.name,
    label: scope.label,
    data_url: dataPath(scope, connectionId),
    filters: filtersOf(scope),
    sync_metadata: toJsonSchema(scope.syncMetadata),
  }));

export const toExtSourceScopes = (manifest: SourceManifest): z.infer<typeof ExtSourceScope>[] =>
  definitionsOf(manifest, manifest.scopes).map((scope) => ({
    name: scope.name,
    label: scope.label,
    sync_metadata: toJsonSchema(scope.syncMetadata),
    data_path_template: dataPath(scope, '{connection_id}'),
    filters: filtersOf(scope),
  }));
