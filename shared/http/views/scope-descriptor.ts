/** Describes a scope for integrators, both in external sources and in connections. */

import * as z from 'zod';
import type { SourceManifest } from '#shared/sources/source.ts';
import type { ConnectionId } from '#shared/values/ids.ts';
import { type DescribedScope, describedSource } from './described-source.ts';

const jsonSchema = () =>
  z
    .record(z.string(), z.unknown())
    .describe('JSON Schema, draft 2020-12.')
    .meta({ examples: [{ type: 'object' }] });

export const ScopeDescriptor = z
  .object({
    name: z.string().meta({ examples: ['rcv'] }),
    label: z.string().meta({ examples: ['Registro de compras y ventas'] }),
    data_url: z
      .string()
      .nullable()
      .describe(
        'Relative URL of the data of this scope. Null if its rows are read by tender: /api/procurement/licitaciones/{codigo}/<name>.',
      ),
    filters: jsonSchema().nullable().describe('JSON Schema of the query parameters of data_url.'),
    sync_metadata: jsonSchema().describe('JSON Schema of `metadata` of a sync request.'),
  })
  .meta({ id: 'ScopeDescriptor' });

export const ExtSourceScope = z
  .object({
    name: z.string().meta({ examples: ['rcv'] }),
    label: z.string().meta({ examples: ['Registro de compras y ventas'] }),
    sync_metadata: jsonSchema().describe('JSON Schema of `metadata` of a sync request.'),
    data_path_template: z
      .string()
      .nullable()
      .describe(
        'Path of the data; {connection_id} is replaced. Null if the rows are read by tender: /api/procurement/licitaciones/{codigo}/<name>.',
      ),
    filters: jsonSchema().nullable().describe('JSON Schema of the query parameters of the path.'),
  })
  .meta({ id: 'ExtSourceScope' });

/**
 * Returns the path of a scope's list, below a connection or at the top level. Null if every read needs a tender code.
 */
const dataPath = ({ resource, listPath }: DescribedScope, connectionId: ConnectionId): string | null => {
  if (resource !== null) return `/api/connections/${connectionId}/${resource}`;
  return listPath === null ? null : `/api${listPath}`;
};

/** Returns descriptions of the enabled scopes, in the order of the source. Unknown scopes are left out. */
export const toScopeDescriptors = (
  manifest: SourceManifest,
  enabledScopes: readonly string[],
  connectionId: ConnectionId,
): z.infer<typeof ScopeDescriptor>[] =>
  describedSource(manifest)
    .scopes.filter(({ name }) => enabledScopes.includes(name))
    .map((scope) => ({
      name: scope.name,
      label: scope.label,
      data_url: dataPath(scope, connectionId),
      filters: scope.filters,
      sync_metadata: scope.sync_metadata,
    }));

export const toExtSourceScopes = (manifest: SourceManifest): z.infer<typeof ExtSourceScope>[] =>
  describedSource(manifest).scopes.map((scope) => ({
    name: scope.name,
    label: scope.label,
    sync_metadata: scope.sync_metadata,
    data_path_template: dataPath(scope, '{connection_id}'),
    filters: scope.filters,
  }));
