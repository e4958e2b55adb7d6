/** An external source as the API returns it. */
import * as z from 'zod';
import type { SourceManifest } from '#shared/sources/source.ts';
import { describedSource } from './described-source.ts';
import { ExtSourceScope, toExtSourceScopes } from './scope-descriptor.ts';

const jsonSchema = () => z.record(z.string(), z.unknown()).meta({ examples: [{ type: 'object' }] });

export const ExternalSource = z
  .object({
    code: z.string().meta({ examples: ['tax'] }),
    name: z.string().meta({ examples: ['Servicio de Impuestos Internos'] }),
    type: z.string().meta({ examples: ['tax_authority'] }),
    country: z
      .string()
      .describe('ISO 3166 code.')
      .meta({ examples: ['CL'] }),
    is_active: z.boolean().describe('Only active sources can be connected.'),
    supported_scopes: z.array(z.string()).meta({ examples: [['rcv']] }),
    scopes: z.array(ExtSourceScope),
    metadata: z.object({
      credentials_schema: jsonSchema().describe('JSON Schema of `credentials` of a connection to this source.'),
      connection_metadata_schema: jsonSchema().describe('JSON Schema of `metadata` of a connection to this source.'),
    }),
  })
  .meta({ id: 'ExternalSource' });

export const toExternalSource = (manifest: SourceManifest): z.infer<typeof ExternalSource> => ({
  code: manifest.code,
  name: manifest.name,
  type: manifest.type,
  country: manifest.country,
  is_active: manifest.isActive,
  supported_scopes: [...manifest.scopes],
  scopes: toExtSourceScopes(manifest),
  metadata: {
    credentials_schema: describedSource(manifest).credentials,
    connection_metadata_schema: describedSource(manifest).metadata,
  },
});
